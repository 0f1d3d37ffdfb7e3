import type { Pod } from '../cluster/pod.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import type { Refusal } from '../explain/reason.ts';
import { compareText } from '../text-order.ts';
import type { Unplaced } from './plan.ts';

/**
 * Pods that can be nowhere while another pod uses a claim of theirs that is for one pod at a time,
 * as the kube-scheduler has it. Of several that wait for one claim, whoever a node is reserved for
 * gets it, then who matters most, then the oldest.
 */
export function waitingForClaims(snapshot: Snapshot, pods: readonly Pod[]): readonly Unplaced[] {
  const asking = pods.filter(({ volumes }) => volumes?.exclusive !== undefined);
  if (asking.length === 0) return [];
  const holders = new Map<string, Pod>();
  for (const { pods: bound } of snapshot.nodes) for (const pod of bound) hold(pod, holders);
  const expected = new Set(snapshot.nodes.flatMap(({ reservedFor }) => reservedFor));
  const rank = ({ uid }: Pod): number => (expected.has(uid) ? 0 : 1);
  const inTurn = asking.sort((a, b) => rank(a) - rank(b) || importantAndOldFirst(a, b));
  return inTurn.flatMap((pod) => {
    const refusal = refusalOf(pod, holders);
    if (refusal === undefined) hold(pod, holders);
    return refusal === undefined ? [] : [{ pod, refusal }];
  });
}

function hold(pod: Pod, holders: Map<string, Pod>): void {
  for (const claim of pod.volumes?.exclusive ?? [])
    if (!holders.has(claim)) holders.set(claim, pod);
}

function refusalOf(pod: Pod, holders: ReadonlyMap<string, Pod>): Refusal | undefined {
  for (const claim of pod.volumes?.exclusive ?? []) {
    const holder = holders.get(claim);
    if (holder === undefined || holder.uid === pod.uid) continue;
    const sentence =
      `persistentVolumeClaim ${claim} is for one pod at a time (ReadWriteOncePod), ` +
      `and pod ${holder.namespace}/${holder.name} has it.`;
    return { code: 'volume-in-use', sentence, parts: [] };
  }
  return undefined;
}

function importantAndOldFirst(a: Pod, b: Pod): number {
  return b.priority - a.priority || a.createdAtMs - b.createdAtMs || compareText(a.uid, b.uid);
}
