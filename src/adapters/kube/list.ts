import type { KubeObject, Resource } from '../../api/resource.ts';
import { isKubeError, type ListOptions, type ObjectList } from '../../ports/kube.ts';
import { inSlices } from '../../ports/slices.ts';
import { parseBody, typed } from './decode.ts';
import { request, type Sender, unreachable } from './request.ts';
import { collectionPath, selectorQuery, withQuery } from './resource-path.ts';

interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly object[] | null;
}

interface Listing<T> extends ListOptions {
  readonly keep?: ((object: T) => T) | undefined;
}

const defaultPageSize = 500;
/** After that many lists that grew too old half-way we ask for everything in one page. */
const pagedAttempts = 3;

/** Every page of a list. All pages show one version; one that is lost half-way starts anew. */
export async function listAll<T extends KubeObject>(
  sender: Sender,
  resource: Resource<T>,
  options: Listing<T>,
): Promise<ObjectList<T>> {
  for (let attempt = 1; ; attempt++) {
    const pageSize = attempt > pagedAttempts ? undefined : (options.pageSize ?? defaultPageSize);
    try {
      return await listPages(sender, resource, { ...options, pageSize });
    } catch (error) {
      if (options.signal?.aborted === true)
        throw unreachable(`listing ${resource.plural}`, options.signal.reason);
      if (!isKubeError(error, 'gone') || pageSize === undefined) throw error;
    }
  }
}

async function listPages<T extends KubeObject>(
  sender: Sender,
  resource: Resource<T>,
  options: Listing<T>,
): Promise<ObjectList<T>> {
  const { keep = (object: T) => object, signal } = options;
  const doing = `listing ${resource.plural}`;
  const items: T[] = [];
  let token: string | undefined;
  for (;;) {
    const query = {
      ...selectorQuery(options),
      limit: options.pageSize === undefined ? undefined : String(options.pageSize),
      continue: token,
    };
    const path = withQuery(collectionPath(resource, options.namespace), query);
    const page = parseBody(
      doing,
      await request(sender, { doing, method: 'GET', path, signal }),
    ) as Page;
    await inSlices(
      keeping(page.items ?? [], (item) => items.push(keep(typed(resource, item)))),
      sender.clock,
      signal,
    );
    token = page.metadata?.continue;
    if (token === undefined || token === '') {
      return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
    }
  }
}

/** So many objects are looked at in one step. */
const objectsPerStep = 16;

function* keeping(items: readonly object[], keep: (item: object) => void): Generator<void, void> {
  for (const [index, item] of items.entries()) {
    keep(item);
    if (index % objectsPerStep === objectsPerStep - 1) yield;
  }
}
