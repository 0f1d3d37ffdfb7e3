import { launchGroupOf } from '../../api/karpenter/launch-group.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { plannedPodsOf } from '../../api/karpenter/planned-pods.ts';
import { isLeaving } from '../../api/resource.ts';
import { taintKeys } from '../../core/requirements/well-known.ts';
import { claimOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';

/**
 * Whether a pod still waits for the machine that the claim orders. Where launching takes its time
 * they may all have gone, or found room elsewhere. A claim of which nobody knows is waited for.
 */
export function isWaitedFor(context: Context, claim: NodeClaim): boolean {
  const planned = plannedPodsOf(claim);
  // The machines of a group are bought in one request, however many of its claims are left.
  if (planned === undefined || launchGroupOf(claim) !== undefined) return true;
  const later = context.ledger.reservedFor({ kind: 'claim', name: claim.metadata.name });
  return [...planned, ...later].some((uid) => wantsPlace(context, uid));
}

function wantsPlace({ informers, bufferBook }: Context, podUid: string): boolean {
  if (bufferBook.has(podUid)) return true;
  const [pod] = informers.pods.by('uid', podUid);
  const phase = pod?.status?.phase;
  if (pod === undefined || phase === 'Succeeded' || phase === 'Failed') return false;
  const { nodeName = '' } = pod.spec;
  if (nodeName === '') return !isLeaving(pod);
  // Some are ordered for pods that have a node now and are about to lose it.
  const node = informers.nodes.get(nodeName);
  if (node === undefined || isLeaving(node)) return true;
  const claim = claimOf(informers, node);
  // The claim goes first, and may have to wait a while until its Node can follow.
  if (claim !== undefined && isLeaving(claim)) return true;
  return node.spec?.taints?.some(({ key }) => key === taintKeys.disrupted) === true;
}
