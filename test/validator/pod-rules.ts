import type { LabelSelector } from '../../src/core/cluster/label-selector.ts';
import type { HostPort, Pod, PodTerm, Taint, Toleration } from '../../src/core/cluster/pod.ts';

/** The rules between a pod and a taint, a port, a selector: each as the Kubernetes pages put it. */

export function toleratesAll(pod: Pod, taints: readonly Taint[]): boolean {
  const repelling = taints.filter((taint) => taint.effect !== 'PreferNoSchedule');
  return repelling.every((taint) => pod.tolerations.some((one) => tolerates(one, taint)));
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = '', operator = 'Equal', value = '', effect = taint.effect } = toleration;
  if (effect !== taint.effect) return false;
  if (key === '') return operator === 'Exists';
  if (key !== taint.key) return false;
  if (operator === 'Exists') return true;
  const own = taint.value ?? '';
  if (operator === 'Equal') return value === own;
  if (!isWhole(value) || !isWhole(own)) return false;
  return operator === 'Gt' ? Number(own) > Number(value) : Number(own) < Number(value);
}

function isWhole(text: string): boolean {
  return /^(0|-?[1-9]\d*)$/.test(text);
}

/** The first port that two of the pods want on the same address, if any. */
export function portWantedTwice(pods: readonly Pod[]): number | undefined {
  const seen: HostPort[] = [];
  for (const pod of pods) {
    const clash = pod.hostPorts.find((port) => seen.some((other) => isOnePort(port, other)));
    if (clash !== undefined) return clash.port;
    seen.push(...pod.hostPorts);
  }
  return undefined;
}

function isOnePort(a: HostPort, b: HostPort): boolean {
  const everywhere = ['', '0.0.0.0', '::'];
  const isSharedAddress = a.ip === b.ip || everywhere.includes(a.ip) || everywhere.includes(b.ip);
  return a.port === b.port && a.protocol === b.protocol && isSharedAddress;
}

/** Whether it carries a rule that nobody places by, or one that cannot be understood. */
export function isUnplaceable(pod: Pod): boolean {
  return pod.unsupported.length > 0 || pod.invalid !== undefined;
}

/** What its volumes ask of a node's labels; without volumes, nothing. */
export function volumeAlternatives(pod: Pod): Pod['nodeAlternatives'] {
  return pod.volumes?.alternatives ?? [new Map()];
}

type Labels = Readonly<Record<string, string>>;

/** An absent selector means no pod, an empty one every pod. */
export function isSelected(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const value = (key: string): string | undefined =>
    Object.hasOwn(labels, key) ? labels[key] : undefined;
  const hasLabels = Object.entries(selector.matchLabels ?? {}).every(
    ([key, wanted]) => value(key) === wanted,
  );
  const hasExpressions = (selector.matchExpressions ?? []).every((expression) => {
    const own = value(expression.key);
    const isListed = own !== undefined && (expression.values ?? []).includes(own);
    if (expression.operator === 'In') return isListed;
    if (expression.operator === 'NotIn') return !isListed;
    return (expression.operator === 'Exists') === (own !== undefined);
  });
  return hasLabels && hasExpressions;
}

/** Whether an affinity or anti-affinity term speaks of this pod. */
export function isMeant(
  term: PodTerm,
  pod: Pod,
  namespaces: ReadonlyMap<string, Labels> | undefined,
): boolean {
  const isNamed = term.namespaces.includes(pod.namespace);
  const isChosen =
    term.namespaceSelector !== undefined &&
    isSelected(term.namespaceSelector, namespaces?.get(pod.namespace) ?? {});
  return (isNamed || isChosen) && isSelected(term.selector, pod.labels);
}
