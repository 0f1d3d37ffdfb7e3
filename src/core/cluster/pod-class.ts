import type { Resources } from '../quantity/resources.ts';
import { requirementsKey } from '../requirements/requirements.ts';
import { finish } from '../steps.ts';
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
  return finish(classing(pods, others));
}

/** So many pods are looked at in one step. */
const podsPerStep = 128;

/** The same in small steps of work. */
export function* classing(
  pods: readonly Pod[],
  others: Iterable<PodTerm> = [],
): Generator<void, readonly PodClass[]> {
  const bySpec = new Map<string, Pod[]>();
  for (const [index, pod] of pods.entries()) {
    addTo(bySpec, specOf(pod).key, pod);
    if (index % podsPerStep === podsPerStep - 1) yield;
  }
  const looked = lookedAtKeys(bySpec.values(), others);
  const classes: PodClass[] = [];
  let seen = 0;
  for (const [specKey, members] of bySpec) {
    for (const podClass of split(members, specKey, looked)) classes.push(podClass);
    seen += members.length;
    if (seen < podsPerStep) continue;
    seen = 0;
    yield;
  }
  return classes.sort(firstServed);
}

/** Pods with the same spec, told apart by the labels that selectors look at. */
function* split(
  members: readonly Pod[],
  specKey: string,
  looked: readonly string[],
): Iterable<PodClass> {
  const byLabels = new Map<string, Pod[]>();
  for (const pod of members) addTo(byLabels, labelKeyOf(pod, looked), pod);
  for (const [labelKey, alike] of byLabels) {
    const sorted = alike.length > 1 ? alike.sort(oldestFirst) : alike;
    const [sample] = sorted;
    if (sample === undefined) continue;
    const crowd = `${sample.namespace}|${labelKey}`;
    const { rules } = specOf(sample);
    yield { key: `${specKey}|${labelKey}`, rules, crowd, sample, pods: sorted };
  }
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
  let text = `${pod.priority}${requestsKeyOf(pod.requests)}`;
  if (pod.hostPorts.length > 0)
    text += pod.hostPorts.map(({ ip, port, protocol }) => `${protocol}:${ip}:${port}`).sort();
  for (const fault of pod.unsupported) text += `!${fault}`;
  for (const fault of pod.invalid ?? []) text += `!${fault}`;
  return text;
}

/** What is asked for, sorted by name. Nearly all pods ask for these three, which need no sorting. */
function requestsKeyOf(requests: Resources): string {
  for (const name in requests)
    if (name !== 'cpu' && name !== 'memory' && name !== 'pods') return sortedKeyOf(requests);
  const { cpu = 0, memory = 0, pods = 0 } = requests;
  return `${partOf('cpu', cpu)}${partOf('memory', memory)}${partOf('pods', pods)}`;
}

function sortedKeyOf(requests: Resources): string {
  let text = '';
  for (const name of Object.keys(requests).sort()) text += partOf(name, requests[name] ?? 0);
  return text;
}

function partOf(name: string, amount: number): string {
  return amount === 0 ? '' : `,${name}=${amount}`;
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
  const [one, other] = [a.sample.requests, b.sample.requests];
  return (
    b.sample.priority - a.sample.priority ||
    (other.cpu ?? 0) - (one.cpu ?? 0) ||
    (other.memory ?? 0) - (one.memory ?? 0) ||
    compareText(a.key, b.key)
  );
}
