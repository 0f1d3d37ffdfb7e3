import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { nodeInterrupted } from '../../core/explain/disruption.ts';
import type { InterruptionMessage, InterruptionQueue } from '../../ports/cloud-provider.ts';
import { after, type Requeue } from '../../runtime/reconcile.ts';
import { nodesOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';
import { countDisrupted } from '../nodeclaim/give-up.ts';
import { deleteClaim } from '../writes.ts';

/** A queue that answers at once with nothing must not be asked without a pause. */
const restMs = 1_000;

interface Answer {
  readonly event: string;
  readonly metric: string;
}

/** Kinds of messages after which the machine is as good as gone. */
const deadly: Partial<Record<InterruptionMessage['kind'], Answer>> = {
  'spot-interruption': { event: 'SpotInterrupted', metric: 'spot_interrupted' },
  'scheduled-change': { event: 'InstanceUnhealthy', metric: 'scheduled_change' },
  'state-change': { event: 'InstanceTerminating', metric: 'instance_terminated' },
};

/** Takes messages from the queue and drains the nodes of machines in danger, while there is time. */
export async function reconcileInterruptions(
  context: Context,
  queue: InterruptionQueue,
  signal: AbortSignal,
): Promise<Requeue> {
  const { clock } = context.ports;
  const askedAtMs = clock.nowMs();
  const messages = await queue.receive(signal);
  for (const message of messages) await handle(context, queue, message);
  return after(messages.length === 0 && clock.nowMs() === askedAtMs ? restMs : 0);
}

async function handle(
  context: Context,
  queue: InterruptionQueue,
  message: InterruptionMessage,
): Promise<void> {
  const { meters } = context;
  meters.interruptionsReceived.add(1, { message_type: message.kind.replaceAll('-', '_') });
  for (const instanceId of [...message.instanceIds].sort()) {
    // An instance of somebody else who shares the queue concerns nobody here.
    for (const claim of context.informers.nodeClaims.by('instance-id', instanceId)) {
      await answer(context, message, { claim, instanceId });
    }
  }
  // Only now: should anything above fail, the message comes again.
  await queue.acknowledge(message);
  meters.interruptionsDeleted.add(1);
}

interface Endangered {
  readonly claim: NodeClaim;
  readonly instanceId: string;
}

async function answer(
  context: Context,
  message: InterruptionMessage,
  { claim, instanceId }: Endangered,
): Promise<void> {
  const how = deadly[message.kind];
  // Our own terminations come back as messages too.
  if (claim.metadata.deletionTimestamp !== undefined) return;
  if (how === undefined) {
    if (message.kind !== 'rebalance') return;
    publish(context, claim, { reason: 'SpotRebalanceRecommendation', message: message.text });
    return;
  }
  publish(context, claim, { reason: how.event, message: message.text });
  await deleteClaim(context, claim);
  countDisrupted(context, claim, how.metric);
  const nodeName = claim.status?.nodeName ?? claim.metadata.name;
  const decision = nodeInterrupted({ nodeName, instanceId, what: message.text });
  publish(context, claim, { reason: 'TerminatingOnInterruption', message: decision.sentence });
  context.ports.decisions.record(decision);
}

function publish(
  { ports, informers }: Context,
  claim: NodeClaim,
  event: { readonly reason: string; readonly message: string },
): void {
  const type = event.reason === 'SpotRebalanceRecommendation' ? 'Normal' : 'Warning';
  for (const about of [claim, ...nodesOf(informers, claim)]) {
    ports.events.publish({ about, type, ...event });
  }
}
