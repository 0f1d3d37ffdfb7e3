import type { PodObject } from '../../../api/kubernetes/core.ts';
import type { VolumeClaimObject } from '../../../api/kubernetes/volume.ts';
import type { KubeObject } from '../../../api/resource.ts';
import type { Informer } from '../../../runtime/informer.ts';
import type { VolumeDemand } from './cluster-state.ts';

const zonalLabels = [
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
];

/** The zone labels of the volumes that the pod's claims are bound to. */
export function volumeDemands(
  pod: PodObject,
  claims: Informer<VolumeClaimObject>,
  bound: Informer<KubeObject>,
): readonly VolumeDemand[] {
  const demands: VolumeDemand[] = [];
  for (const { persistentVolumeClaim: source } of pod.spec.volumes ?? []) {
    if (source === undefined) continue;
    const claim = claims.get(`${pod.metadata.namespace}/${source.claimName}`);
    const labels = bound.get(claim?.spec?.volumeName ?? '')?.metadata.labels ?? {};
    const demand: Record<string, readonly string[]> = {};
    for (const key of zonalLabels) {
      // A regional volume lists its zones with two underscores between them.
      if (labels[key] !== undefined) demand[key] = labels[key].split('__');
    }
    if (Object.keys(demand).length > 0) demands.push(demand);
  }
  return demands;
}
