import { parseDuration, parseTime } from '../../api/decode/duration.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { type NodeObject, nodes } from '../../api/kubernetes/core.ts';
import { isTrue } from '../../api/resource.ts';
import { timestamp } from '../../api/timestamp.ts';
import { nodeRemoved } from '../../core/explain/disruption.ts';
import { annotations, finalizers, labels } from '../../core/requirements/well-known.ts';
import { CloudError } from '../../ports/cloud-provider.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import { nodesOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';
import { poolLabel } from '../meters.ts';
import { patchClaimStatus, patchLocked } from '../writes.ts';

const instancePollMs = 5_000;

/**
 * Brings a deleted claim to its end: its Node is drained and gone first, then the machine, and
 * only then is the claim let go. Every step can be repeated.
 */
export async function terminate(
  context: Context,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<Requeue> {
  if (claim.metadata.finalizers?.includes(finalizers.termination) !== true) return onChange;
  const timed = await announceDeadline(context, claim);
  const found = nodesOf(context.informers, timed);
  if (found.length > 0 && (isTrue(timed, 'Registered') || found.some(mayRunPods))) {
    await deleteNodes(context, found);
    return onChange;
  }
  if ((await endInstance(context, timed, signal)) === 'terminating') return after(instancePollMs);
  // A Node that never registered has no finalizer of ours; nobody else may be there to remove it.
  await deleteNodes(context, found);
  await letGo(context, context.informers.nodeClaims.get(timed.metadata.name) ?? timed);
  return onChange;
}

/** The Node is opened to pods before its claim says so, and we may have died in between. */
function mayRunPods({ metadata }: NodeObject): boolean {
  return metadata.labels?.[labels.registered] === 'true';
}

/** Asks the cloud to end the claim's machine, and tells so on the claim. */
export async function endInstance(
  context: Context,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<'terminating' | 'gone'> {
  const providerId = claim.status?.providerID ?? '';
  if (providerId === '') return 'gone';
  const state = await context.ports.cloud.terminate(providerId, signal).catch((error: unknown) => {
    if (error instanceof CloudError) tellFailure(context, claim, error);
    throw error;
  });
  if (state === 'terminating') {
    await patchClaimStatus(context, claim, {
      set: [{ type: 'InstanceTerminating', status: 'True' }],
    });
  }
  return state;
}

/** The machine still costs money, which somebody should know: it is tried again for ever. */
function tellFailure({ ports }: Context, claim: NodeClaim, error: CloudError): void {
  const { reason, message } = error;
  ports.events.publish({ about: claim, type: 'Warning', reason, message });
}

async function announceDeadline(context: Context, claim: NodeClaim): Promise<NodeClaim> {
  const { ports, informers } = context;
  const periodMs = parseDuration(claim.spec.terminationGracePeriod ?? '');
  if (periodMs === undefined || periodMs === Infinity) return claim;
  if (claim.metadata.annotations?.[annotations.terminationTimestamp] !== undefined) return claim;
  const deletedAtMs = parseTime(claim.metadata.deletionTimestamp) ?? ports.clock.nowMs();
  const deadline = timestamp(deletedAtMs + periodMs);
  const timed = await patchLocked(
    { kube: ports.kube, informer: informers.nodeClaims, object: claim },
    { metadata: { annotations: { [annotations.terminationTimestamp]: deadline } } },
  );
  for (const about of [timed, ...nodesOf(informers, timed)]) {
    ports.events.publish({
      about,
      type: 'Warning',
      reason: 'TerminationGracePeriodExpiring',
      message: `All pods will be deleted by ${deadline}, when the termination grace period ends.`,
    });
  }
  return timed;
}

async function deleteNodes(
  { ports, informers }: Context,
  found: readonly NodeObject[],
): Promise<void> {
  for (const { metadata } of found) {
    if (metadata.deletionTimestamp !== undefined) continue;
    const deleted = await ports.kube.delete(nodes, { name: metadata.name }, { uid: metadata.uid });
    if (deleted !== undefined) informers.nodes.apply(deleted);
  }
}

async function letGo(context: Context, claim: NodeClaim): Promise<void> {
  const { ports, informers, cluster } = context;
  const snapshot = cluster.snapshot();
  const others = (claim.metadata.finalizers ?? []).filter((f) => f !== finalizers.termination);
  await patchLocked(
    { kube: ports.kube, informer: informers.nodeClaims, object: claim },
    { metadata: { finalizers: others } },
  );
  const own = claim.metadata.labels ?? {};
  context.meters.claimsTerminated.add(1, {
    ...poolLabel(claim),
    capacity_type: own[labels.capacityType] ?? '',
    zone: own[labels.zone] ?? '',
  });
  // A claim that never had a machine leaves nothing behind to tell of.
  if ((claim.status?.providerID ?? '') === '') return;
  const known = snapshot.nodes.find((node) => node.claimName === claim.metadata.name);
  const deletedAtMs = parseTime(claim.metadata.deletionTimestamp) ?? ports.clock.nowMs();
  const name = claim.status?.nodeName ?? claim.metadata.name;
  ports.decisions.record(
    nodeRemoved({
      node: { name, priceUsdPerHour: known?.priceUsdPerHour },
      snapshot,
      tookMs: ports.clock.nowMs() - deletedAtMs,
    }),
  );
}
