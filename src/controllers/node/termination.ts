import { parseTime } from '../../api/decode/duration.ts';
import { isSameTaint } from '../../api/decode/node-taints.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodeObject, TaintObject } from '../../api/kubernetes/core.ts';
import { isTrue } from '../../api/resource.ts';
import { annotations, finalizers, labels, taintKeys } from '../../core/requirements/well-known.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import { claimOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';
import { endInstance } from '../nodeclaim/termination.ts';
import { deleteClaim, patchLocked } from '../writes.ts';
import { drain } from './drain.ts';
import type { EvictionDesk } from './eviction.ts';
import { awaitVolumes } from './volumes.ts';

/** A node on its way out, with the claim behind it as long as there is one. */
export interface LeavingNode {
  readonly node: NodeObject;
  readonly claim: NodeClaim | undefined;
  /** When it goes, come what may. */
  readonly deadlineMs: number | undefined;
}

const instancePollMs = 5_000;

/**
 * Brings a deleted Node of ours to its end: no new pods, the old ones evicted, volumes detached,
 * the machine gone, and only then the Node. Deleting the Node by hand ends its claim too.
 */
export async function reconcileNodeEnd(
  context: Context,
  desk: EvictionDesk,
  name: string,
  signal: AbortSignal,
): Promise<Requeue> {
  const node = context.informers.nodes.get(name);
  if (node === undefined || !isOursAndDeleted(node)) return onChange;
  const claim = claimOf(context.informers, node);
  if (claim !== undefined) await deleteClaim(context, claim);
  if (!isTrue(node, 'Ready') && (await isMachineGone(context, node))) {
    await letGo(context, node);
    return onChange;
  }
  const leaving = { node: await closeToPods(context, node), claim, deadlineMs: deadlineOf(claim) };
  return (
    (await drain(context, desk, leaving)) ??
    (await awaitVolumes(context, leaving)) ??
    (await endMachine(context, leaving, signal))
  );
}

function isOursAndDeleted(node: NodeObject): boolean {
  return (
    node.metadata.deletionTimestamp !== undefined &&
    node.metadata.finalizers?.includes(finalizers.termination) === true
  );
}

function deadlineOf(claim: NodeClaim | undefined): number | undefined {
  const text = claim?.metadata.annotations?.[annotations.terminationTimestamp];
  if (text === undefined) return undefined;
  const deadlineMs = parseTime(text);
  // Without a deadline that can be read, going on would either wait for ever or kill at once.
  if (deadlineMs === undefined) throw new Error(`reading the termination deadline "${text}"`);
  return deadlineMs;
}

async function isMachineGone({ ports }: Context, node: NodeObject): Promise<boolean> {
  const providerId = node.spec?.providerID ?? '';
  return providerId === '' || (await ports.cloud.get(providerId)) === undefined;
}

const disrupted: TaintObject = { key: taintKeys.disrupted, effect: 'NoSchedule' };

/** The taint keeps new pods off, the label takes the node out of load balancers. */
async function closeToPods({ ports, informers }: Context, node: NodeObject): Promise<NodeObject> {
  const taints = node.spec?.taints ?? [];
  const isTainted = taints.some((taint) => isSameTaint(taint, disrupted));
  const isExcluded = node.metadata.labels?.[labels.excludeFromLoadBalancers] !== undefined;
  if (isTainted && isExcluded) return node;
  const others = taints.filter((taint) => taint.key !== taintKeys.disrupted);
  return patchLocked(
    { kube: ports.kube, informer: informers.nodes, object: node },
    {
      metadata: { labels: { [labels.excludeFromLoadBalancers]: 'karpenter' } },
      spec: { taints: [...others, disrupted] },
    },
  );
}

async function endMachine(
  context: Context,
  { node, claim }: LeavingNode,
  signal: AbortSignal,
): Promise<Requeue> {
  const { informers, ports } = context;
  const providerId = node.spec?.providerID ?? '';
  const current = claim === undefined ? undefined : informers.nodeClaims.get(claim.metadata.name);
  const state =
    current !== undefined
      ? await endInstance(context, current, signal)
      : providerId === ''
        ? 'gone'
        : await ports.cloud.terminate(providerId, signal);
  if (state === 'terminating') return after(instancePollMs);
  await letGo(context, informers.nodes.get(node.metadata.name) ?? node);
  return onChange;
}

async function letGo(context: Context, node: NodeObject): Promise<void> {
  const { ports, informers, meters } = context;
  const others = (node.metadata.finalizers ?? []).filter((f) => f !== finalizers.termination);
  await patchLocked(
    { kube: ports.kube, informer: informers.nodes, object: node },
    { metadata: { finalizers: others } },
  );
  meters.nodesTerminated.add(1, {
    nodepool: node.metadata.labels?.[labels.nodePool] ?? '',
    zone: node.metadata.labels?.[labels.zone] ?? '',
  });
}
