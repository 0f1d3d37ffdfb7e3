import { isSameTaint } from '../../api/decode/node-taints.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { pods, type TaintObject } from '../../api/kubernetes/core.ts';
import { isReschedulable } from '../../core/cluster/pod.ts';
import type { Node } from '../../core/cluster/snapshot.ts';
import type { Move } from '../../core/disruption/move.ts';
import { nodeEmpty } from '../../core/explain/disruption.ts';
import { taintKeys } from '../../core/requirements/well-known.ts';
import type { Context } from '../context.ts';
import { countDisrupted } from '../nodeclaim/give-up.ts';
import { deleteClaim, patchClaimStatus, patchLocked } from '../writes.ts';

const disrupted: TaintObject = { key: taintKeys.disrupted, effect: 'NoSchedule' };

/** Carries out moves that need no replacement: close the nodes, say why, let their claims go. */
export async function disrupt(context: Context, moves: readonly Move[]): Promise<void> {
  for (const move of moves) {
    for (const node of move.nodes) await giveUpNode(context, move, node);
  }
}

/**
 * The taint comes first, so that nothing new lands on a node that is about to go. Should we die
 * before the claim is deleted, the next round finds the taint without a reason and removes it.
 */
async function giveUpNode(context: Context, move: Move, node: Node): Promise<void> {
  const { informers, cluster, ports } = context;
  const claim = informers.nodeClaims.get(node.claimName ?? '');
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
  await taint(context, node);
  // A pod may have been bound between our look and the taint; the next round opens the node again.
  if (move.reason === 'Empty' && (await hasPods(context, node))) return;
  const marked = await patchClaimStatus(context, claim, {
    set: [{ type: 'DisruptionReason', status: 'True', reason: move.reason, message: move.reason }],
  });
  const snapshot = cluster.snapshot();
  cluster.markLeaving(claim.metadata.name);
  try {
    await deleteClaim(context, marked);
  } catch (error) {
    cluster.unmarkLeaving(claim.metadata.name);
    throw error;
  }
  ports.decisions.record(nodeEmpty({ ...move, nodes: [node] }, snapshot));
  tell(context, move, marked, node);
}

/** Asks the server, whose word is newer than our copy of it. */
async function hasPods({ ports, cluster }: Context, { name }: Node): Promise<boolean> {
  const { items } = await ports.kube.list(pods, { fieldSelector: `spec.nodeName=${name}` });
  return items.map(cluster.podOf).some(isReschedulable);
}

async function taint({ ports, informers }: Context, { name }: Node): Promise<void> {
  const object = informers.nodes.get(name);
  if (object === undefined) return;
  const taints = object.spec?.taints ?? [];
  if (taints.some((other) => isSameTaint(other, disrupted))) return;
  await patchLocked(
    { kube: ports.kube, informer: informers.nodes, object },
    { spec: { taints: [...taints, disrupted] } },
  );
}

function tell(context: Context, move: Move, claim: NodeClaim, node: Node): void {
  const { ports, informers, meters } = context;
  const reason = move.reason.toLowerCase();
  countDisrupted(context, claim, reason);
  meters.disruptionDecisions.add(1, {
    decision: 'delete',
    reason,
    consolidation_type: move.reason === 'Empty' ? 'empty' : '',
  });
  const object = informers.nodes.get(node.name);
  for (const about of object === undefined ? [claim] : [claim, object]) {
    const message = `Disrupting ${about === claim ? 'NodeClaim' : 'Node'}: ${move.reason}. ${move.sentence}`;
    ports.events.publish({ about, type: 'Normal', reason: 'DisruptionTerminating', message });
  }
}
