import type { HttpRequest } from '../../../ports/http.ts';
import type { ApiObject, JsonObject } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { acceptsTable, toTable } from '../table.ts';
import { encodeList, encodeObject, type ListMetadata, presented } from './encode.ts';

/** In which form a client wants to see objects. */
export interface View {
  one(kind: Kind, object: ApiObject): string;
  list(kind: Kind, objects: readonly ApiObject[], metadata: ListMetadata): string;
  /** The object of one watch event; a view may say its columns only once per stream. */
  event(kind: Kind, object: ApiObject, position: 'first' | 'later'): string;
}

export interface ViewOptions {
  readonly query: URLSearchParams;
  readonly nowMs: () => number;
}

/** As the `Accept` header asks: whole objects, a table for printing, or metadata alone. */
export function viewFor(request: HttpRequest, options: ViewOptions): View {
  const { accept } = request.headers;
  if (acceptsTable(accept)) return tableView(options);
  return /as=PartialObjectMetadata/.test(accept ?? '') ? metadataView : wholeView;
}

const wholeView: View = { one: encodeObject, list: encodeList, event: encodeObject };

function tableView({ query, nowMs }: ViewOptions): View {
  const included = query.get('includeObject');
  const includeObject = included === 'None' || included === 'Object' ? included : 'Metadata';
  const table = (kind: Kind, objects: readonly ApiObject[], more: object): string =>
    JSON.stringify(
      toTable(
        kind,
        objects.map((object) => presented(kind, object)),
        { nowMs: nowMs(), includeObject, ...more },
      ),
    );
  return {
    one: (kind, object) =>
      table(kind, [object], { metadata: { resourceVersion: object.metadata.resourceVersion } }),
    list: (kind, objects, metadata) => table(kind, objects, { metadata }),
    event: (kind, object, position) =>
      table(kind, [object], {
        metadata: { resourceVersion: object.metadata.resourceVersion },
        columns: position === 'first' ? 'include' : 'omit',
      }),
  };
}

const metadataView: View = {
  one: (_kind, object) => JSON.stringify(partial(object)),
  list: (_kind, objects, metadata) =>
    JSON.stringify({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      items: objects.map(partial),
    }),
  event: (_kind, object) => JSON.stringify(partial(object)),
};

function partial(object: ApiObject): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: object.metadata,
  };
}
