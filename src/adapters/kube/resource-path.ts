import type { KubeObject, Resource } from '../../api/resource.ts';
import type { ListOptions, ObjectKey } from '../../ports/kube.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** The path of one object, or of something below it. */
export function objectPath<T extends KubeObject>(
  resource: Resource<T>,
  key: ObjectKey,
  subresource?: string,
): string {
  const path = `${collectionPath(resource, key.namespace)}/${encodeURIComponent(key.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** The path of a kind's objects, in one namespace or in all of them. */
export function collectionPath<T extends KubeObject>(
  resource: Resource<T>,
  namespace?: string,
): string {
  const { group, version, plural, isNamespaced } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  if (!isNamespaced || namespace === undefined || namespace === '') return `${root}/${plural}`;
  return `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

/** The path with those parameters that have a value, in the order given. */
export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, value);
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

export function selectorQuery(options: ListOptions): Query {
  return { labelSelector: options.labelSelector, fieldSelector: options.fieldSelector };
}

/** `web-1`, `default/web-1`: how messages name an object. */
export function nameOf(key: ObjectKey): string {
  return key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`;
}
