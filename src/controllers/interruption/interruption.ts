import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { InterruptionMessage, InterruptionQueue } from '../../ports/cloud-provider.ts';
import { after, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { type Danger, endClaim, publishDanger } from './danger.ts';
import type { InterruptionMeters } from './meters.ts';

/** A queue that answers at once with nothing must not be asked without a pause. */
const restMs = 1_000;

/** What each kind of message is called in metrics and events, and whether the machine is as good as gone. */
const answers: Readonly<Record<InterruptionMessage['kind'], Answer>> = {
  'spot-interruption': { metric: 'spot_interrupted', event: 'SpotInterrupted', isDeadly: true },
  'capacity-reservation-interruption': {
    metric: 'capacity_reservation_interrupted',
    event: 'CapacityReservationInstanceInterrupted',
    isDeadly: true,
  },
  'scheduled-change': { metric: 'scheduled_change', event: 'InstanceUnhealthy', isDeadly: true },
  'instance-stopped': { metric: 'instance_stopped', event: 'InstanceStopping', isDeadly: true },
  'instance-terminated': {
    metric: 'instance_terminated',
    event: 'InstanceTerminating',
    isDeadly: true,
  },
  rebalance: {
    metric: 'rebalance_recommendation',
    event: 'SpotRebalanceRecommendation',
    isDeadly: false,
  },
  other: { metric: 'no_op', event: '', isDeadly: false },
};

interface Answer {
  readonly metric: string;
  readonly event: string;
  readonly isDeadly: boolean;
}

interface Desk {
  readonly context: Context;
  readonly queue: InterruptionQueue;
  readonly meters: InterruptionMeters;
}

interface Round extends Desk {
  /** Claims that a message of this round has ended; the next one about them has nothing to add. */
  readonly ended: Set<string>;
}

/**
 * Takes messages from the queue and drains the nodes of machines in danger, while there is time. A
 * message that could not be dealt with stays in the queue and comes again; the others are deleted.
 */
export async function reconcileInterruptions(desk: Desk, signal: AbortSignal): Promise<Requeue> {
  const { context, queue, meters } = desk;
  const { clock } = context.ports;
  const askedAtMs = clock.nowMs();
  const messages = await queue.receive(signal);
  const round = { ...desk, ended: new Set<string>() };
  const results = await Promise.allSettled(messages.map((message) => handle(round, message)));
  const done = messages.filter((_, index) => results[index]?.status === 'fulfilled');
  // Only now: should anything above have failed, the message comes again.
  if (done.length > 0) await queue.acknowledge(...done);
  meters.deleted.add(done.length);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return after(messages.length === 0 && clock.nowMs() === askedAtMs ? restMs : 0);
}

async function handle(round: Round, message: InterruptionMessage): Promise<void> {
  const { context, meters } = round;
  const { metric } = answers[message.kind];
  meters.received.add(1, { message_type: metric });
  if (message.happenedAtMs !== undefined)
    meters.latency.observe((context.ports.clock.nowMs() - message.happenedAtMs) / 1_000);
  for (const instanceId of [...message.instanceIds].sort()) {
    // An instance of somebody else who shares the queue concerns nobody here.
    for (const claim of context.informers.nodeClaims.by('instance-id', instanceId))
      await answer(round, message, { claim, instanceId });
  }
}

async function answer(
  { context, ended }: Round,
  message: InterruptionMessage,
  about: { readonly claim: NodeClaim; readonly instanceId: string },
): Promise<void> {
  const { metric, event, isDeadly } = answers[message.kind];
  // Our own terminations come back as messages too.
  if (event === '' || about.claim.metadata.deletionTimestamp !== undefined) return;
  const danger: Danger = { ...about, event, metric, text: message.text };
  const isActedOn = isDeadly || context.settings.rebalance === 'replace';
  if (!isActedOn) return publishDanger(context, danger, 'Normal');
  const uid = about.claim.metadata.uid ?? '';
  if (ended.has(uid)) return;
  ended.add(uid);
  await endClaim(context, danger);
}
