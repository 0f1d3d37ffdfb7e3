import { mapAt, textAt, type ValueMap, valueAt } from '../../api/value.ts';
import { nodeClass, pools } from '../story/manifests.ts';
import { namespaceOf } from './apply.ts';
import { type Manifest, manifestOf } from './manifests.ts';

const classRef = ['spec', 'template', 'spec', 'nodeClassRef'] as const;

/** The pools of `karpenter start`, for manifests that bring none. They use the class that is brought. */
export function defaultPools(given: readonly Manifest[]): readonly Manifest[] {
  if (given.some(({ kind }) => kind === 'NodePool')) return [];
  const name = given.find(({ kind }) => kind === 'EC2NodeClass')?.name ?? 'default';
  return pools().map(({ metadata, spec }) => {
    const { template } = spec;
    const nodeClassRef = { ...template.spec.nodeClassRef, name };
    const own = { ...spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } };
    return ours({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata, spec: own });
  });
}

/** The node class of `karpenter start`, under every name that pools use and nobody brings. */
export function defaultClasses(given: readonly Manifest[], cluster: string): readonly Manifest[] {
  const brought = given.filter(({ kind }) => kind === 'EC2NodeClass').map(({ name }) => name);
  const used = given.flatMap(({ object }) => {
    const { kind, name } = mapAt(object, classRef);
    return kind === 'EC2NodeClass' && typeof name === 'string' ? [name] : [];
  });
  const missing = [...new Set(used)].filter((name) => !brought.includes(name)).sort();
  const { spec } = nodeClass(cluster);
  return missing.map((name) =>
    ours({
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name },
      spec,
    }),
  );
}

export function namespace(name: string): Manifest {
  return ours({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

/**
 * The class as if the account had all that it asks for. Which subnets, roles and images there are
 * is known to AWS alone, and none of it decides how large or dear a machine is.
 */
export function asFound(manifest: Manifest, clusterName: string): Manifest {
  const {
    instanceProfile: _instanceProfile,
    userData: _userData,
    amiFamily: _amiFamily,
    capacityReservationSelectorTerms: _reservations,
    placementGroupSelector: _placementGroup,
    ...kept
  } = mapAt(manifest.object, ['spec']);
  const amiSelectorTerms = [{ alias: `${imageFamily(manifest)}@latest` }];
  const spec = { ...kept, ...nodeClass(clusterName).spec, amiSelectorTerms };
  return { ...manifest, object: { ...manifest.object, spec: spec as unknown as ValueMap } };
}

/** Images of one's own, and of a family that has ended, are taken for those of today. */
function imageFamily({ object }: Manifest): string {
  const alias = textAt(object, ['spec', 'amiSelectorTerms', 0, 'alias'])?.split('@')[0];
  const family = (alias ?? textAt(object, ['spec', 'amiFamily']) ?? '').toLowerCase();
  return ['', 'al2', 'custom'].includes(family) ? 'al2023' : family;
}

/** The pod that a workload will make; undefined for what is a pod itself. */
export function podOf(workload: Manifest): Manifest | undefined {
  const template = valueAt(workload.object, ['spec', 'template']);
  if (template === undefined) return undefined;
  const { labels = {}, annotations = {} } = mapAt(template, ['metadata']);
  const space = namespaceOf(workload);
  const metadata = { generateName: 'pod-', namespace: space, labels, annotations };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec: mapAt(template, ['spec']) };
  const where: Manifest['where'] = (path = []) => workload.where(['spec', 'template', ...path]);
  return { ...manifestOf(object), where };
}

function ours(object: object): Manifest {
  return manifestOf(object as ValueMap);
}
