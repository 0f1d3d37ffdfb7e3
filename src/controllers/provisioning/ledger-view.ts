import { parseTime } from '../../api/decode/duration.ts';
import { conditionOf } from '../../api/resource.ts';
import { isProvisionable } from '../../core/cluster/pod.ts';
import type { LedgerView, Place } from '../cluster-state/ledger.ts';
import type { Context } from '../context.ts';

/** What the ledger needs to know of pods and places, read from the informers. */
export function ledgerView({ informers, cluster, bufferBook }: Context): LedgerView {
  const leaving = new Set(
    cluster
      .snapshot()
      .nodes.filter((node) => node.isLeaving)
      .flatMap((node) => node.pods.map((pod) => pod.uid)),
  );

  function isWaiting(podUid: string): boolean {
    if (bufferBook.has(podUid)) return true;
    const [object] = informers.pods.by('uid', podUid);
    if (object === undefined) return false;
    const pod = cluster.podOf(object);
    if (pod.isTerminal) return false;
    if (leaving.has(podUid)) return cluster.isMovable(pod);
    return isProvisionable(pod) && !pod.isTerminating;
  }

  function stateOf(place: Place): ReturnType<LedgerView['stateOf']> {
    if (place.kind === 'node') {
      const node = informers.nodes.get(place.name);
      return node === undefined || node.metadata.deletionTimestamp !== undefined
        ? 'gone'
        : { readySinceMs: -Infinity };
    }
    const claim = informers.nodeClaims.get(place.name);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return 'gone';
    const initialized = conditionOf(claim, 'Initialized');
    if (initialized?.status !== 'True') return 'coming';
    return { readySinceMs: parseTime(initialized.lastTransitionTime) ?? -Infinity };
  }

  /** A pod of a leaving node is bound already; the one that takes its place has another uid. */
  const isNeverBound = (podUid: string): boolean => bufferBook.has(podUid) || leaving.has(podUid);

  return { isWaiting, stateOf, isNeverBound };
}
