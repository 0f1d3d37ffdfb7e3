import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { plannedPodsOf } from '../../api/karpenter/planned-pods.ts';
import type { PodObject } from '../../api/kubernetes/core.ts';
import { expectedNodeOf } from '../../api/kubernetes/nomination.ts';
import { isLeaving, isTrue } from '../../api/resource.ts';
import { claimOf } from '../cluster-state/informers.ts';
import type { LedgerView, Place } from '../cluster-state/ledger.ts';
import type { Context } from '../context.ts';
import { ledgerView } from './ledger-view.ts';

/**
 * After a start nobody remembers which pod was planned where. Pods that were told do, and so do
 * the claims whose machines are on their way, be it for pods that still run on nodes which are
 * leaving. So these places are kept for their pods again.
 */
export function recallPlaces(context: Context): void {
  const { informers, ledger, ports } = context;
  const nowMs = ports.clock.nowMs();
  const view = ledgerView(context);
  for (const pod of informers.pods.by('unbound', 'yes')) {
    const uid = pod.metadata.uid ?? '';
    const place = toldPlaceOf(context, pod);
    if (place !== undefined) ledger.reserve(uid, place, nowMs);
  }
  for (const claim of informers.nodeClaims.list()) {
    if (isLeaving(claim)) continue;
    const place: Place = { kind: 'claim', name: claim.metadata.name };
    for (const uid of plannedPodsOf(claim) ?? [])
      if (isStillFor(view, uid, claim) && ledger.placeOf(uid) === undefined)
        ledger.reserve(uid, place, nowMs);
  }
}

/** Once the machine is ready, the kube-scheduler decides for whoever it can bind. */
function isStillFor(view: LedgerView, podUid: string, claim: NodeClaim): boolean {
  if (isTrue(claim, 'Initialized') && view.isNeverBound?.(podUid) !== true) return false;
  return view.isWaiting(podUid);
}

function toldPlaceOf({ informers }: Context, pod: PodObject): Place | undefined {
  const node = informers.nodes.get(expectedNodeOf(pod) ?? '');
  if (node === undefined || isLeaving(node)) return undefined;
  const claim = claimOf(informers, node);
  if (claim === undefined) return { kind: 'node', name: node.metadata.name };
  return isLeaving(claim) ? undefined : { kind: 'claim', name: claim.metadata.name };
}
