import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { nodeInterrupted } from '../../core/explain/disruption.ts';
import { nodesOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';
import { countDisrupted } from '../nodeclaim/give-up.ts';
import { deleteClaim } from '../writes.ts';

/** Why a machine will not last. */
export interface Danger {
  readonly claim: NodeClaim;
  readonly instanceId: string;
  /** The reason of the event: `SpotInterrupted`. */
  readonly event: string;
  /** For counting: `spot_interrupted`. */
  readonly metric: string;
  /** For people: `EC2 takes this spot instance back in two minutes`. */
  readonly text: string;
}

/** Deletes the claim of a machine in danger, and says why: its node is closed, replaced and drained at once. */
export async function endClaim(context: Context, danger: Danger): Promise<void> {
  const { claim, instanceId, text } = danger;
  publishDanger(context, danger, 'Warning');
  await deleteClaim(context, claim);
  countDisrupted(context, claim, danger.metric);
  const nodeName = claim.status?.nodeName ?? claim.metadata.name;
  const decision = nodeInterrupted({ nodeName, instanceId, what: text });
  const event = { ...danger, event: 'TerminatingOnInterruption', text: decision.sentence };
  publishDanger(context, event, 'Warning');
  context.ports.decisions.record(decision);
}

/** Tells it on the claim and on its node. */
export function publishDanger(
  { ports, informers }: Context,
  { claim, event, text }: Danger,
  type: 'Normal' | 'Warning',
): void {
  for (const about of [claim, ...nodesOf(informers, claim)])
    ports.events.publish({ about, type, reason: event, message: text });
}
