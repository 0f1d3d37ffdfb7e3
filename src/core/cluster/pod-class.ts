import { requirementsKey } from '../requirements/requirements.ts';
import { compareText } from '../text-order.ts';
import type { LabelSelector } from './label-selector.ts';
import type { Pod, PodTerm } from './pod.ts';

/** Pods that are alike in everything that decides where they may go. */
export interface PodClass {
  /** Equal for pods of one class among the pods of one call. */
  readonly key: string;
  /** Equal for pods with the same rules about labels, taints, volumes and other pods. */
  readonly rules: string;
  /** Equal for pods that no selector in question can tell apart. */
  readonly crowd: string;
  /** Any of the pods: they do not differ here. */
  readonly sample: Pod;
  /** Oldest first, ties by name. */
  readonly pods: readonly Pod[];
}

/**
 * The classes of the pods: important ones first, then large ones; the order of the pods plays no
 * part. Labels tell pods apart only where some selector, of these pods or of `others`, looks.
 */
export function classesOf(
  pods: readonly Pod[],
  others: Iterable<PodTerm> = [],
): readonly PodClass[] {
  const bySpec = new Map<string, Pod[]>();
  for (const pod of pods) addTo(bySpec, specOf(pod).key, pod);
  const looked = lookedAtKeys(bySpec.values(), others);
  const classes: PodClass[] = [];
  for (const [specKey, members] of bySpec) {
    const byLabels = new Map<string, Pod[]>();
    for (const pod of members) addTo(byLabels, labelKeyOf(pod, looked), pod);
    for (const [labelKey, alike] of byLabels) {
      const sorted = alike.length > 1 ? alike.sort(oldestFirst) : alike;
      const [sample] = sorted;
      if (sample === undefined) continue;
      const crowd = `${sample.namespace}|${labelKey}`;
      const { rules } = specOf(sample);
      classes.push({ key: `${specKey}|${labelKey}`, rules, crowd, sample, pods: sorted });
    }
  }
  return classes.sort(firstServed);
}

function addTo(groups: Map<string, Pod[]>, key: string, pod: Pod): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [pod]);
  else group.push(pod);
}

/** The label keys that selectors of the pods' own rules, or of the terms, look at. */
function lookedAtKeys(groups: Iterable<readonly Pod[]>, terms: Iterable<PodTerm>): string[] {
  const keys = new Set<string>();
  for (const [sample] of groups) {
    for (const { selector } of sample?.spread ?? []) addKeys(keys, selector);
    for (const { selector } of sample?.affinity ?? []) addKeys(keys, selector);
    for (const { selector } of sample?.antiAffinity ?? []) addKeys(keys, selector);
    for (const { selector } of sample?.preferredAffinity ?? []) addKeys(keys, selector);
    for (const { selector } of sample?.preferredAntiAffinity ?? []) addKeys(keys, selector);
  }
  for (const { selector } of terms) addKeys(keys, selector);
  return [...keys].sort();
}

function addKeys(keys: Set<string>, selector: LabelSelector | undefined): void {
  for (const key in selector?.matchLabels) keys.add(key);
  for (const { key } of selector?.matchExpressions ?? []) keys.add(key);
}

function labelKeyOf(pod: Pod, looked: readonly string[]): string {
  let text = '';
  for (const key of looked)
    if (Object.hasOwn(pod.labels, key)) text += `${key}=${pod.labels[key]},`;
  return text;
}

interface Spec {
  readonly key: string;
  readonly rules: string;
}

/** A pod never changes, so that its texts are written once, however often it is asked about. */
const specs = new WeakMap<Pod, Spec>();

function specOf(pod: Pod): Spec {
  const known = specs.get(pod);
  if (known !== undefined) return known;
  const rules = `${placeKeyOf(pod)}|${companyKeyOf(pod)}`;
  const spec = { key: `${sizeKeyOf(pod)}|${rules}`, rules };
  specs.set(pod, spec);
  return spec;
}

function sizeKeyOf(pod: Pod): string {
  const { requests } = pod;
  let text = `${pod.priority}`;
  for (const name of Object.keys(requests).sort())
    if (requests[name] !== 0) text += `,${name}=${requests[name]}`;
  if (pod.hostPorts.length > 0)
    text += pod.hostPorts.map(({ ip, port, protocol }) => `${protocol}:${ip}:${port}`).sort();
  for (const fault of pod.unsupported) text += `!${fault}`;
  for (const fault of pod.invalid ?? []) text += `!${fault}`;
  return text;
}

function placeKeyOf(pod: Pod): string {
  let text = '';
  if (pod.tolerations.length > 0) text += pod.tolerations.map(tolerationKey).sort();
  for (const wanted of pod.nodeAlternatives) text += `|${requirementsKey(wanted)}`;
  for (const { weight, requirements } of pod.nodePreferences ?? [])
    text += `~${weight} ${requirementsKey(requirements)}`;
  for (const wanted of pod.volumes?.alternatives ?? []) text += `^${requirementsKey(wanted)}`;
  return text;
}

function tolerationKey({ key, operator, value, effect }: Pod['tolerations'][number]): string {
  return `${key ?? ''} ${operator ?? ''} ${value ?? ''} ${effect ?? ''}`;
}

function companyKeyOf(pod: Pod): string {
  let text = pod.namespace;
  const { spread, affinity, antiAffinity, preferredAffinity, preferredAntiAffinity } = pod;
  if (spread !== undefined && spread.length > 0) text += JSON.stringify(spread);
  if (affinity !== undefined && affinity.length > 0) text += `+${JSON.stringify(affinity)}`;
  if (antiAffinity !== undefined && antiAffinity.length > 0)
    text += `-${JSON.stringify(antiAffinity)}`;
  if (preferredAffinity !== undefined && preferredAffinity.length > 0)
    text += `~+${JSON.stringify(preferredAffinity)}`;
  if (preferredAntiAffinity !== undefined && preferredAntiAffinity.length > 0)
    text += `~-${JSON.stringify(preferredAntiAffinity)}`;
  return text;
}

function oldestFirst(a: Pod, b: Pod): number {
  return (
    a.createdAtMs - b.createdAtMs ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.uid, b.uid)
  );
}

function firstServed(a: PodClass, b: PodClass): number {
  const size = (name: string): number =>
    (b.sample.requests[name] ?? 0) - (a.sample.requests[name] ?? 0);
  return (
    b.sample.priority - a.sample.priority ||
    size('cpu') ||
    size('memory') ||
    compareText(a.key, b.key)
  );
}
