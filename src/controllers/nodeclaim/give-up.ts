import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { DecisionDraft } from '../../core/explain/decision.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { Context } from '../context.ts';
import { poolLabel } from '../meters.ts';
import { deleteClaim } from '../writes.ts';

export interface GivingUp {
  readonly decision: DecisionDraft;
  /** For counting, as the metrics name it: `launch_timeout`. */
  readonly metric: string;
  /** The reason of the Kubernetes event. */
  readonly event: string;
  /** Unless it is nothing to worry about, a warning. */
  readonly eventType?: 'Normal' | 'Warning';
}

/** Deletes a claim that will not become a node, and says why. Its pods are planned anew. */
export async function giveUp(context: Context, claim: NodeClaim, why: GivingUp): Promise<void> {
  if (claim.metadata.deletionTimestamp !== undefined) return;
  await deleteClaim(context, claim);
  countDisrupted(context, claim, why.metric);
  const { ports } = context;
  const { event: reason, eventType: type = 'Warning' } = why;
  ports.events.publish({ about: claim, type, reason, message: why.decision.sentence });
  ports.decisions.record(why.decision);
}

/** Counts a claim that leaves before its time, under the reasons that dashboards know. */
export function countDisrupted(context: Context, claim: NodeClaim, reason: string): void {
  context.meters.claimsDisrupted.add(1, {
    ...poolLabel(claim),
    reason,
    capacity_type: claim.metadata.labels?.[labels.capacityType] ?? '',
  });
}
