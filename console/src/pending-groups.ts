import type { PendingView } from '../../src/server/view.ts';

/** Pods that wait for the same reason, told once. */
export interface PendingGroup {
  readonly reason: string;
  readonly isRefused: boolean;
  readonly count: number;
  readonly names: readonly string[];
  /** The place of the tree of reasons in the view. */
  readonly tree?: number | undefined;
}

/** Refused groups first, then the larger ones; equal ones by reason. */
export function groupPending(pending: readonly PendingView[]): readonly PendingGroup[] {
  const groups = new Map<
    string,
    { isRefused: boolean; names: string[]; tree: number | undefined }
  >();
  for (const pod of pending) {
    const reason = reasonOf(pod);
    const group = groups.get(reason) ?? {
      isRefused: pod.refusal !== undefined,
      names: [],
      tree: pod.refusal?.reason,
    };
    group.names.push(`${pod.namespace}/${pod.name}`);
    groups.set(reason, group);
  }
  return [...groups]
    .map(([reason, { names, ...rest }]) => ({ reason, names, count: names.length, ...rest }))
    .sort(
      (a, b) =>
        Number(b.isRefused) - Number(a.isRefused) ||
        b.count - a.count ||
        (a.reason < b.reason ? -1 : 1),
    );
}

function reasonOf(pod: PendingView): string {
  if (pod.refusal !== undefined) return pod.refusal.sentence;
  if (pod.waitsFor !== undefined) return `waits for ${pod.waitsFor} to be ready`;
  return 'waits for the next plan';
}
