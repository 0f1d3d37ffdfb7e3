import { collectionPath, objectPath, withQuery } from '../../adapters/kube/resource-path.ts';
import type { Resource } from '../../api/resource.ts';
import { listAt, mapAt, pathText, textAt, type ValueMap } from '../../api/value.ts';
import type { HttpHandler } from '../../ports/http.ts';
import { call, refusalsOf } from '../manifest/api-call.ts';
import type { Manifest } from './manifests.ts';

/** Where the API server keeps objects of the kind; undefined where it does not know it. */
export async function resourceOf(
  handle: HttpHandler,
  { apiVersion, kind }: Manifest,
): Promise<Resource | undefined> {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  const { body } = await call(handle, `${root}/${apiVersion}`);
  const found = listAt(body, ['resources'])
    .map((one) => mapAt(one, []))
    .find((one) => one.kind === kind && !String(one.name).includes('/'));
  if (found === undefined) return undefined;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const isNamespaced = found.namespaced === true;
  return { group, version, kind, plural: String(found.name), isNamespaced };
}

/**
 * Applies the manifest as kubectl does: unknown fields are refused, and what is there is changed. A
 * dry run keeps nothing. Answers what the server has against it, a line each.
 */
export async function apply(
  handle: HttpHandler,
  manifest: Manifest,
  options: { readonly isDryRun: boolean } = { isDryRun: false },
): Promise<readonly string[]> {
  const resource = await resourceOf(handle, manifest);
  if (resource === undefined) return [];
  const query = { dryRun: options.isDryRun ? 'All' : undefined, fieldValidation: 'Strict' };
  const key = { name: manifest.name, namespace: namespaceOf(manifest) };
  const object = asNew(manifest.object);
  let answer = await call(
    handle,
    withQuery(collectionPath(resource, key.namespace), query),
    object,
  );
  if (answer.status === 409)
    answer = await call(handle, withQuery(objectPath(resource, key), query), object, 'PATCH');
  return refusalsOf(answer).map(({ path, message }) => {
    const field = path.length === 0 ? '' : `${pathText(path)}: `;
    return `${manifest.where(path)}: ${field}${message}`;
  });
}

export function namespaceOf({ object }: Manifest): string {
  return textAt(object, ['metadata', 'namespace']) ?? 'default';
}

const serverOwned = [
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
];

/** What `kubectl get -o yaml` adds is about another cluster. */
function asNew({ status: _status, ...object }: ValueMap): ValueMap {
  const metadata = Object.entries(mapAt(object, ['metadata']));
  const own = metadata.filter(([field]) => !serverOwned.includes(field));
  return { ...object, metadata: Object.fromEntries(own) };
}
