import type { Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import { fits } from '../../quantity/resources.ts';
import { combine, firstConflict, type Requirements } from '../../requirements/requirements.ts';
import { withVolumes } from '../assigning/ladder.ts';
import { isConceivable } from '../market/admission.ts';
import { repels } from '../market/wish.ts';

/** Whether a node of the pool with such labels might be opened for the pod, were all available. */
export function isReachable(pod: Pod, pool: Pool, settled: Requirements): boolean {
  if (repels(pool.taints, pod, false)) return false;
  const wanted = withVolumes(pod.nodeAlternatives, pod)
    .filter((one) => firstConflict(one, settled) === undefined)
    .map((one) => combine(combine(pool.requirements, one), settled));
  const isFor = (one: Requirements): boolean =>
    pool.instanceTypes.some(
      (type) => fits(pod.requests, type.allocatable) && isConceivable(pool, type, one),
    );
  return wanted.some(isFor);
}
