import { type Requirements, termsOf } from '../requirements/requirements.ts';
import { compareText } from '../text-order.ts';
import type { Pod } from './pod.ts';

/** Pods that are alike in everything that decides where they may go. */
export interface PodClass {
  /** Equal for pods of one class, whatever else is in the batch. */
  readonly key: string;
  /** Equal for classes that ask the same of a node's labels and taints. */
  readonly labelKey: string;
  /** Any of the pods: they do not differ here. */
  readonly sample: Pod;
  /** Oldest first, ties by name. */
  readonly pods: readonly Pod[];
}

/** The classes of the pods, large ones first; the order of the pods plays no part. */
export function classesOf(pods: readonly Pod[]): readonly PodClass[] {
  const groups = new Map<string, { labelKey: string; pods: Pod[] }>();
  for (const pod of pods) {
    const labelKey = labelKeyOf(pod);
    const key = `${sizeKeyOf(pod)}|${labelKey}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { labelKey, pods: [pod] });
    else group.pods.push(pod);
  }
  const classes = [...groups].flatMap(([key, { labelKey, pods: members }]) => {
    const sorted = members.sort(oldestFirst);
    const [sample] = sorted;
    return sample === undefined ? [] : [{ key, labelKey, sample, pods: sorted }];
  });
  return classes.sort(largestFirst);
}

function sizeKeyOf(pod: Pod): string {
  const amounts = Object.keys(pod.requests)
    .sort()
    .filter((name) => (pod.requests[name] ?? 0) !== 0)
    .map((name) => `${name}=${pod.requests[name]}`);
  const ports = pod.hostPorts.map(({ ip, port, protocol }) => `${protocol}:${ip}:${port}`).sort();
  const faults = [...pod.unsupported, ...(pod.invalid ?? [])];
  return [amounts.join(), ports.join(), faults.join()].join('|');
}

function labelKeyOf(pod: Pod): string {
  const tolerations = pod.tolerations.map(
    ({ key = '', operator = '', value = '', effect = '' }) =>
      `${key} ${operator} ${value} ${effect}`,
  );
  const alternatives = pod.nodeAlternatives.map(requirementsKey);
  return `${tolerations.sort().join()}|${alternatives.join(' or ')}`;
}

function requirementsKey(requirements: Requirements): string {
  if (requirements.size === 0) return '';
  const terms = termsOf(requirements).map(
    ({ key, operator, values = [] }) => `${key} ${operator} ${values.join(',')}`,
  );
  return terms.join(' and ');
}

function oldestFirst(a: Pod, b: Pod): number {
  return (
    a.createdAtMs - b.createdAtMs || compareText(nameOf(a), nameOf(b)) || compareText(a.uid, b.uid)
  );
}

function largestFirst(a: PodClass, b: PodClass): number {
  const size = (name: string): number =>
    (b.sample.requests[name] ?? 0) - (a.sample.requests[name] ?? 0);
  return size('cpu') || size('memory') || compareText(a.key, b.key);
}

function nameOf(pod: Pod): string {
  return `${pod.namespace}/${pod.name}`;
}
