import type { NodeObject, TaintObject } from '../../../api/kubernetes/core.ts';
import { conditionOf } from '../../../api/resource.ts';
import { timestamp } from '../../../api/timestamp.ts';

type Effect = TaintObject['effect'];

const managed: readonly (readonly [string, Effect])[] = [
  ['node.kubernetes.io/not-ready', 'NoSchedule'],
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoSchedule'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/network-unavailable', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
];

/** The node's taints as its conditions demand; the same array when nothing is to be changed. */
export function desiredTaints(node: NodeObject, nowMs: number): readonly TaintObject[] {
  const present = node.spec?.taints ?? [];
  const wanted = new Set(managed.filter(([key]) => isDemanded(node, key)).map(id));
  const kept = present.filter((taint) => {
    const name = id([taint.key, taint.effect]);
    return !managed.some((entry) => id(entry) === name) || wanted.has(name);
  });
  const held = new Set(kept.map((taint) => id([taint.key, taint.effect])));
  const added = managed
    .filter((entry) => wanted.has(id(entry)) && !held.has(id(entry)))
    .map(([key, effect]): TaintObject => ({ key, effect, timeAdded: timestamp(nowMs) }));
  if (added.length === 0 && kept.length === present.length) return present;
  return [...kept, ...added];
}

function isDemanded(node: NodeObject, key: string): boolean {
  const is = (type: string, status: string): boolean => conditionOf(node, type)?.status === status;
  switch (key) {
    case 'node.kubernetes.io/not-ready':
      return is('Ready', 'False');
    case 'node.kubernetes.io/unreachable':
      return is('Ready', 'Unknown');
    case 'node.kubernetes.io/memory-pressure':
      return is('MemoryPressure', 'True');
    case 'node.kubernetes.io/disk-pressure':
      return is('DiskPressure', 'True');
    case 'node.kubernetes.io/pid-pressure':
      return is('PIDPressure', 'True');
    case 'node.kubernetes.io/network-unavailable':
      return is('NetworkUnavailable', 'True');
    default:
      return node.spec?.unschedulable === true;
  }
}

function id([key, effect]: readonly [string, Effect]): string {
  return `${key}:${effect}`;
}
