import { parseTime } from '../../api/decode/duration.ts';
import type { ResolvedCapacityReservation } from '../../api/karpenter/ec2-node-class.ts';
import { type NodeClaim, nodeClaims } from '../../api/karpenter/node-claim.ts';
import { nodes } from '../../api/kubernetes/core.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { after, type Requeue } from '../../runtime/reconcile.ts';
import { nodesOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';
import { runAlone } from '../loops.ts';
import { countDisrupted } from '../nodeclaim/give-up.ts';
import { deleteClaim } from '../writes.ts';

type Loop = { readonly done: Promise<void> };

const intervalMs = 60_000;
/** EC2 begins to take machines away half an hour before a block ends; ten minutes more to leave in order. */
const noticeMs = 40 * 60_000;

/** Looks after machines in capacity reservations: leaves blocks in time, and calls things by their name. */
export function startReservedCapacity(context: Context, signal: AbortSignal): Loop {
  return runAlone(context, 'capacityreservation', () => reconcileReserved(context), signal);
}

async function reconcileReserved(context: Context): Promise<Requeue> {
  const claims = context.informers.nodeClaims.list().filter(isReserved);
  const staying = [];
  for (const claim of claims) if (!(await leaveEndingBlock(context, claim))) staying.push(claim);
  if (staying.length > 0) await renameUnreserved(context, staying);
  return after(intervalMs);
}

function isReserved({ metadata }: NodeClaim): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    metadata.labels?.[labels.capacityType] === 'reserved'
  );
}

/** EC2 takes the machines of a block away before it ends; whoever leaves earlier leaves in order. */
async function leaveEndingBlock(context: Context, claim: NodeClaim): Promise<boolean> {
  const { informers, ports } = context;
  const id = claim.metadata.labels?.[labels.reservationId];
  const nodeClass = informers.nodeClasses.get(claim.spec.nodeClassRef.name);
  const block = nodeClass?.status?.capacityReservations?.find((one) => one.id === id);
  if (block === undefined || !isEnding(block, ports.clock.nowMs())) return false;
  await deleteClaim(context, claim);
  countDisrupted(context, claim, 'capacity_block_expired');
  const { name } = claim.metadata;
  const sentence = `NodeClaim ${name} is in capacity block ${block.id}, which ends at ${block.endTime}, and is replaced before EC2 takes it back.`;
  ports.events.publish({ about: claim, type: 'Normal', reason: 'Expired', message: sentence });
  ports.decisions.record({
    code: 'NodeExpired',
    subject: { kind: 'NodeClaim', name },
    because: [{ name: 'capacity block', value: block.id }],
    sentence,
  });
  return true;
}

/** Whatever its last known state: a class that cannot be resolved now must not cost the pods their notice. */
function isEnding(block: ResolvedCapacityReservation, nowMs: number): boolean {
  if (block.reservationType !== 'capacity-block') return false;
  return block.state === 'expiring' || nowMs >= (parseTime(block.endTime) ?? Infinity) - noticeMs;
}

const reservationTypeLabel = 'karpenter.k8s.aws/capacity-reservation-type';

/** A reservation that ends or is given up leaves its machines running, on demand and at full price. */
async function renameUnreserved(context: Context, claims: readonly NodeClaim[]): Promise<void> {
  const instances = await context.ports.cloud.list();
  const onDemand = new Set(
    instances.filter((one) => one.capacityType === 'on-demand').map((one) => one.providerId),
  );
  for (const claim of claims)
    if (onDemand.has(claim.status?.providerID ?? '')) await rename(context, claim);
}

async function rename({ ports, informers }: Context, claim: NodeClaim): Promise<void> {
  const changed = {
    [labels.capacityType]: 'on-demand',
    [labels.reservationId]: null,
    [reservationTypeLabel]: null,
  };
  const patch = { type: 'merge', body: { metadata: { labels: changed } } } as const;
  // The node first: should we die in between, the claim still says that there is something to do.
  for (const { metadata } of nodesOf(informers, claim))
    informers.nodes.apply(await ports.kube.patch(nodes, { name: metadata.name }, patch));
  const { name } = claim.metadata;
  informers.nodeClaims.apply(await ports.kube.patch(nodeClaims, { name }, patch));
  ports.log.info('a machine is no longer in its capacity reservation', { NodeClaim: name });
}
