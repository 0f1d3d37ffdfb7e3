import { launchGroupOf } from '../../api/karpenter/launch-group.ts';
import { type NodeClaim, nodeClaims } from '../../api/karpenter/node-claim.ts';
import { nodes } from '../../api/kubernetes/core.ts';
import { isTrue } from '../../api/resource.ts';
import { claimCollected, instanceCollected } from '../../core/explain/lifecycle.ts';
import type { CloudInstance } from '../../ports/cloud-provider.ts';
import { after, type Requeue } from '../../runtime/reconcile.ts';
import { instanceIdOf, nodesOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';
import { Ripeness } from '../disruption/ripeness.ts';
import { deleteClaim } from '../writes.ts';
import { countDisrupted } from './give-up.ts';

const eagerIntervalMs = 10_000;
const eagerRounds = 20;
const calmIntervalMs = 120_000;
/** A machine this young may belong to a launch whose answer we have not seen yet. */
const youngestOrphanMs = 30_000;
/** How long a machine may be without its Node: a kubelet that is started again brings it back. */
const nodelessPatienceMs = 60_000;

/**
 * Compares what the cloud has with what was claimed, both ways, and what was claimed with the Nodes.
 * Often at first, since a restart is when something may have been left behind; then now and then.
 */
export function createGarbageCollection(
  context: Context,
): (signal: AbortSignal) => Promise<Requeue> {
  const nodeless = new Ripeness(nodelessPatienceMs);
  let rounds = 0;
  return async (signal) => {
    // Claims before instances: one launched in between must not look like a claim without machine.
    const claims = context.informers.nodeClaims.list();
    const instances = await context.ports.cloud.list();
    for (const claim of claims) await collectClaim(context, claim, instances);
    await collectNodeless(context, nodeless);
    const orphans = instances.filter((instance) => isOrphan(context, instance, claims));
    if (orphans.length > 0) await collectInstances(context, orphans, signal);
    rounds++;
    return after(rounds <= eagerRounds ? eagerIntervalMs : calmIntervalMs);
  };
}

async function collectClaim(
  context: Context,
  claim: NodeClaim,
  instances: readonly CloudInstance[],
): Promise<void> {
  if (claim.metadata.deletionTimestamp !== undefined || !isTrue(claim, 'Registered')) return;
  const found = instances.find(({ providerId }) => providerId === claim.status?.providerID);
  if (found !== undefined && found.state !== 'shutting-down') return;
  // A node that reports itself well is believed more than a listing that may lag.
  if (nodesOf(context.informers, claim).some((node) => isTrue(node, 'Ready'))) return;
  await remove(context, claim, `the cloud no longer has ${machineOf(claim)}`);
}

/**
 * A Node that was torn away past its finalizer takes its pods with it, and nothing ever runs on its
 * machine again; but pods would wait for the claim, which looks ready, and the machine costs money.
 */
async function collectNodeless(context: Context, nodeless: Ripeness): Promise<void> {
  const { informers, ports } = context;
  const claims = informers.nodeClaims.list().filter((claim) => isNodeless(context, claim));
  const nowMs = ports.clock.nowMs();
  nodeless.observe(claims.map(uidOf), nowMs);
  for (const claim of claims.filter((one) => nodeless.isRipe(uidOf(one), nowMs))) {
    const name = claim.status?.nodeName ?? '';
    // Our copy may lag behind the server, whose word is asked before a machine is destroyed.
    if (name !== '' && (await ports.kube.get(nodes, { name })) !== undefined) continue;
    await remove(context, claim, `its Node ${name} was removed, and ${machineOf(claim)} is idle`);
  }
}

function isNodeless({ informers }: Context, claim: NodeClaim): boolean {
  const isLeaving = claim.metadata.deletionTimestamp !== undefined;
  return !isLeaving && isTrue(claim, 'Registered') && nodesOf(informers, claim).length === 0;
}

async function remove(context: Context, claim: NodeClaim, why: string): Promise<void> {
  await deleteClaim(context, claim);
  countDisrupted(context, claim, 'garbage_collected');
  context.ports.decisions.record(claimCollected({ claimName: claim.metadata.name, why }));
}

function machineOf({ status }: NodeClaim): string {
  return instanceIdOf(status?.providerID) ?? 'its machine';
}

function uidOf({ metadata }: NodeClaim): string {
  return metadata.uid ?? metadata.name;
}

function isOrphan(
  { ports }: Context,
  instance: CloudInstance,
  claims: readonly NodeClaim[],
): boolean {
  if (instance.state === 'shutting-down') return false;
  if (ports.clock.nowMs() - instance.launchedAtMs < youngestOrphanMs) return false;
  return !claims.some((claim) => isMachineOf(claim, instance));
}

/** A claim that knows its machine owns no other one, though the tag may name it. */
function isMachineOf(claim: NodeClaim, instance: CloudInstance): boolean {
  const providerId = claim.status?.providerID ?? '';
  if (providerId !== '') return providerId === instance.providerId;
  if (claim.metadata.uid === instance.claimUid) return true;
  // Which of its group's machines is the claim's is told once it is launched; until then any may be.
  const group = launchGroupOf(claim);
  return group !== undefined && instance.launchGroup?.startsWith(`${group.id}.`) === true;
}

async function collectInstances(
  context: Context,
  orphans: readonly CloudInstance[],
  signal: AbortSignal,
): Promise<void> {
  const { ports } = context;
  // Our copy of the claims may lag; the server's word is asked before a machine is destroyed.
  const { items: claims } = await ports.kube.list(nodeClaims);
  for (const orphan of orphans) {
    if (claims.some((claim) => isMachineOf(claim, orphan))) continue;
    await ports.cloud.terminate(orphan.providerId, signal);
    await deleteNodesOf(context, orphan);
    const instanceId = instanceIdOf(orphan.providerId) ?? orphan.providerId;
    ports.decisions.record(
      instanceCollected({ instanceId, why: 'no NodeClaim stands behind it any more' }),
    );
  }
}

async function deleteNodesOf(context: Context, { providerId }: CloudInstance): Promise<void> {
  for (const { metadata } of context.informers.nodes.by('provider-id', providerId)) {
    if (metadata.deletionTimestamp !== undefined) continue;
    await context.ports.kube.delete(nodes, { name: metadata.name }, { uid: metadata.uid });
  }
}
