import { createHash } from 'node:crypto';
import { apiVersionOf } from '../../../api/resource.ts';
import type { Kind, KindRegistry, Subresource } from '../kinds.ts';
import { groupNames, servedIn, versionsOf } from './served.ts';

/** The answer to `/api`. */
export function coreVersions(): object {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
}

/** The answer to `/apis`. */
export function groupList(kinds: KindRegistry): object {
  const groups = groupNames(kinds).map((name) => describeGroup(kinds, name));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** The answer to a path below `/api` or `/apis`; undefined when it names nothing that is served. */
export function classicBelow(kinds: KindRegistry, segments: readonly string[]): object | undefined {
  const [root, first, second, ...rest] = segments;
  if (first === undefined || rest.length > 0) return undefined;
  if (root === 'api' && second === undefined) return resourceList(kinds, '', first);
  if (root !== 'apis' || first === '') return undefined;
  if (second !== undefined) return resourceList(kinds, first, second);
  if (!groupNames(kinds).includes(first)) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(kinds, first) };
}

function describeGroup(kinds: KindRegistry, name: string): { readonly name: string } {
  const versions = versionsOf(kinds, name).map((version) => ({
    groupVersion: `${name}/${version}`,
    version,
  }));
  return { name, versions, preferredVersion: versions[0] } as { readonly name: string };
}

function resourceList(kinds: KindRegistry, group: string, version: string): object | undefined {
  const served = servedIn(kinds, group, version);
  if (served.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf({ group, version }),
    resources: served.flatMap((kind) => [
      classicResource(kind),
      ...kind.subresources.map((subresource) => classicSubresource(kind, subresource)),
    ]),
  };
}

function classicResource(kind: Kind): object {
  return {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.isNamespaced,
    kind: kind.kind,
    verbs: kind.verbs,
    ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
    ...(kind.categories.length > 0 && { categories: kind.categories }),
    storageVersionHash: storageVersionHash(kind),
  };
}

function classicSubresource(kind: Kind, subresource: Subresource): object {
  return {
    name: `${kind.plural}/${subresource.name}`,
    singularName: '',
    namespaced: kind.isNamespaced,
    ...(subresource.group !== undefined && { group: subresource.group }),
    ...(subresource.version !== undefined && { version: subresource.version }),
    kind: subresource.kind ?? kind.kind,
    verbs: subresource.verbs,
  };
}

function storageVersionHash(kind: Kind): string {
  const hash = createHash('sha256').update(`${kind.group}/${kind.version}/${kind.kind}`).digest();
  return hash.subarray(0, 8).toString('base64');
}
