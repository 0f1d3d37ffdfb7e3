import { type NodeClaim, nodeClaims } from '../../api/karpenter/node-claim.ts';
import { timestamp } from '../../api/timestamp.ts';
import { annotations } from '../../core/requirements/well-known.ts';
import { CloudError, type InstanceTrouble } from '../../ports/cloud-provider.ts';
import { after, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { endClaim } from './danger.ts';
import { type InterruptionMeters, interruptionMeters } from './meters.ts';

const intervalMs = 60_000;
/** Without the permission nothing can be learnt until somebody grants it. */
const deniedIntervalMs = 3_600_000;

const metrics = {
  InstanceStatus: 'instance_status',
  SystemStatus: 'system_status',
  EventStatus: 'event_status',
} as const;

/**
 * Replaces machines that the cloud itself finds unwell. A planned event leaves time to drain; when
 * checks of the machine or its host have failed, nothing on it can be relied on and it goes at once.
 */
export function createInstanceStatus(context: Context): () => Promise<Requeue> {
  const meters = interruptionMeters(context.ports.metrics);
  let counted: ReadonlySet<string> = new Set();
  return async () => {
    try {
      const troubles = await context.ports.cloud.troubles();
      counted = countNew(meters, troubles, counted);
      for (const trouble of troubles) await act(context, trouble);
      return after(intervalMs);
    } catch (error) {
      if (!(error instanceof CloudError) || error.kind !== 'unauthorized') throw error;
      context.ports.log.error('instance status cannot be read: unhealthy machines go unnoticed', {
        error,
      });
      return after(deniedIntervalMs);
    }
  };
}

/** Each instance counts once for a category while it lasts. */
function countNew(
  meters: InterruptionMeters,
  troubles: readonly InstanceTrouble[],
  counted: ReadonlySet<string>,
): ReadonlySet<string> {
  const now = new Set<string>();
  for (const { instanceId, category } of troubles) {
    const key = `${category}/${instanceId}`;
    if (!counted.has(key) && !now.has(key)) meters.unhealthy.add(1, { category });
    now.add(key);
  }
  return now;
}

async function act(context: Context, trouble: InstanceTrouble): Promise<void> {
  const { instanceId, category, text } = trouble;
  for (const found of context.informers.nodeClaims.by('instance-id', instanceId)) {
    if (found.metadata.deletionTimestamp !== undefined) continue;
    const claim = category === 'EventStatus' ? found : await setDeadline(context, found);
    const event = 'InstanceUnhealthy';
    await endClaim(context, { claim, instanceId, text, event, metric: metrics[category] });
  }
}

/** From now on nothing holds up the end of its node: no budget, no annotation, no volume. */
export async function setDeadline(context: Context, claim: NodeClaim): Promise<NodeClaim> {
  const { ports, informers } = context;
  const { name } = claim.metadata;
  const present = claim.metadata.annotations?.[annotations.terminationTimestamp];
  const nowMs = ports.clock.nowMs();
  if (present !== undefined && Date.parse(present) <= nowMs) return claim;
  const body = {
    metadata: { annotations: { [annotations.terminationTimestamp]: timestamp(nowMs) } },
  };
  const marked = await ports.kube.patch(nodeClaims, { name }, { type: 'merge', body });
  informers.nodeClaims.apply(marked);
  return marked;
}
