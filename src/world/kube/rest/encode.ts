import { apiVersionOf } from '../../../api/resource.ts';
import { toNewerEvent } from '../decode/event-versions.ts';
import type { ApiObject, JsonObject } from '../json.ts';
import type { Kind } from '../kinds.ts';

/** Stored objects never change, so the text of each is made once. */
const texts = new WeakMap<ApiObject, string>();

/** A state that is past is hardly ever asked for again; its text would stay with the history. */
export function forgetText(object: ApiObject): void {
  texts.delete(object);
}

/** The object as JSON, with `kind` and `apiVersion` of the view. */
export function encodeObject(kind: Kind, object: ApiObject): string {
  const text = encodeItem(kind, object);
  return `{"kind":"${kind.kind}","apiVersion":"${apiVersionOf(kind)}",${text.slice(1)}`;
}

/** An item of a list: those of built-in kinds say their type only once, in the list. */
function encodeListItem(kind: Kind, object: ApiObject): string {
  return kind.isCustom ? encodeObject(kind, object) : encodeItem(kind, object);
}

function encodeItem(kind: Kind, object: ApiObject): string {
  if (kind.group === 'events.k8s.io') return JSON.stringify(toNewerEvent(object));
  let text = texts.get(object);
  if (text === undefined) {
    text = JSON.stringify(object);
    texts.set(object, text);
  }
  return text;
}

/** The object as clients see it, as a value. */
export function presented(kind: Kind, object: ApiObject): JsonObject {
  const view = kind.group === 'events.k8s.io' ? toNewerEvent(object) : object;
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), ...view };
}

export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
}

export function encodeList(
  kind: Kind,
  objects: readonly ApiObject[],
  metadata: ListMetadata,
): string {
  const head = `{"kind":"${kind.listKind}","apiVersion":"${apiVersionOf(kind)}"`;
  const items = objects.map((object) => encodeListItem(kind, object)).join(',');
  return `${head},"metadata":${JSON.stringify(metadata)},"items":[${items}]}`;
}
