import type { Kind, KindRegistry } from '../kinds.ts';
import { groupNames, servedIn, versionsOf } from './served.ts';

/** Everything below `/api` or `/apis` in one answer; `form` is the version of that answer's kind. */
export function aggregated(kinds: KindRegistry, root: 'api' | 'apis', form: string): object {
  const groups = root === 'api' ? [''] : groupNames(kinds);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${form}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versionsOf(kinds, group).map((version) => ({
        version,
        resources: servedIn(kinds, group, version).map(aggregatedResource),
        freshness: 'Current',
      })),
    })),
  };
}

function aggregatedResource(kind: Kind): object {
  const { group, version } = kind;
  return {
    resource: kind.plural,
    responseKind: { group, version, kind: kind.kind },
    scope: kind.isNamespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: kind.verbs,
    ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
    ...(kind.categories.length > 0 && { categories: kind.categories }),
    ...(kind.subresources.length > 0 && {
      subresources: kind.subresources.map((subresource) => ({
        subresource: subresource.name,
        responseKind: {
          group: subresource.group ?? group,
          version: subresource.version ?? version,
          kind: subresource.kind ?? kind.kind,
        },
        verbs: subresource.verbs,
      })),
    }),
  };
}
