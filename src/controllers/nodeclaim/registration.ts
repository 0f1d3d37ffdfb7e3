import { parseTime } from '../../api/decode/duration.ts';
import { isSameTaint } from '../../api/decode/node-taints.ts';
import { type NodeClaim, nodeClaims } from '../../api/karpenter/node-claim.ts';
import { annotationsOfMachine } from '../../api/karpenter/planned-pods.ts';
import type { NodeObject, TaintObject } from '../../api/kubernetes/core.ts';
import { apiVersionOf, type OwnerReference } from '../../api/resource.ts';
import { nodeRegistered } from '../../core/explain/lifecycle.ts';
import { finalizers, labels, taintKeys } from '../../core/requirements/well-known.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { poolLabel } from '../meters.ts';
import { patchClaimStatus, patchLocked } from '../writes.ts';

/** Makes the machine's Node ours: labels, taints, owner and finalizer of the claim, then no longer unregistered. */
export async function register(
  context: Context,
  claim: NodeClaim,
  node: NodeObject,
): Promise<Requeue> {
  const { ports, informers } = context;
  const isSynced = node.metadata.labels?.[labels.registered] === 'true';
  if (!isSynced) {
    warnIfUntainted(context, claim, node);
    await patchLocked(
      { kube: ports.kube, informer: informers.nodes, object: node },
      syncedNode(claim, node),
    );
  }
  await patchClaimStatus(context, claim, {
    set: [{ type: 'Registered', status: 'True' }],
    fields: { nodeName: node.metadata.name },
  });
  tellRegistered(context, claim, node);
  return onChange;
}

/** The part of the Node that registration writes. */
function syncedNode(
  claim: NodeClaim,
  node: NodeObject,
): { readonly metadata: object; readonly spec: object } {
  return {
    metadata: {
      labels: { ...claim.metadata.labels, [labels.registered]: 'true' },
      annotations: { ...annotationsOfMachine(claim) },
      finalizers: [...new Set([...(node.metadata.finalizers ?? []), finalizers.termination])],
      ownerReferences: withOwner(node.metadata.ownerReferences ?? [], claim),
    },
    spec: { taints: syncedTaints(claim, node) },
  };
}

function syncedTaints(claim: NodeClaim, node: NodeObject): readonly TaintObject[] {
  const present = (node.spec?.taints ?? []).filter(({ key }) => key !== taintKeys.unregistered);
  if (node.metadata.labels?.[labels.doNotSyncTaints] === 'true') return present;
  const taints = [...present];
  for (const taint of [...(claim.spec.taints ?? []), ...(claim.spec.startupTaints ?? [])]) {
    if (!taints.some((other) => isSameTaint(other, taint))) taints.push(taint);
  }
  return taints;
}

function withOwner(owners: readonly OwnerReference[], claim: NodeClaim): readonly OwnerReference[] {
  const { name, uid = '' } = claim.metadata;
  if (owners.some((owner) => owner.uid === uid)) return owners;
  const own: OwnerReference = {
    apiVersion: apiVersionOf(nodeClaims),
    kind: nodeClaims.kind,
    name,
    uid,
    blockOwnerDeletion: true,
  };
  return [...owners, own];
}

function warnIfUntainted({ ports }: Context, claim: NodeClaim, node: NodeObject): void {
  const isTainted = (node.spec?.taints ?? []).some(({ key }) => key === taintKeys.unregistered);
  if (isTainted) return;
  ports.events.publish({
    about: claim,
    type: 'Warning',
    reason: 'UnregisteredTaintMissing',
    message: `Node ${node.metadata.name} joined without the taint ${taintKeys.unregistered}: pods may have been bound before its labels and taints were complete.`,
  });
}

function tellRegistered(context: Context, claim: NodeClaim, node: NodeObject): void {
  const zone = claim.metadata.labels?.[labels.zone] ?? '';
  context.meters.nodesCreated.add(1, { ...poolLabel(claim), zone });
  const { clock, decisions } = context.ports;
  const createdAtMs = parseTime(claim.metadata.creationTimestamp) ?? 0;
  decisions.record(
    nodeRegistered({
      claimName: claim.metadata.name,
      nodeName: node.metadata.name,
      afterMs: clock.nowMs() - createdAtMs,
    }),
  );
}
