import { finish, insertInOrder, sorting } from '../steps.ts';
import { compareText } from '../text-order.ts';
import { type ClassOrder, ordering, type Unordered } from './class-order.ts';
import type { LabelSelector } from './label-selector.ts';
import { Numbering, PairNumbering } from './numbering.ts';
import type { Pod, PodTerm } from './pod.ts';
import { type PodKind, PodKinds } from './pod-kind.ts';

/** Pods that are alike in everything that decides where they may go. */
export interface PodClass {
  /** Its own among the classes of one call, and in order of what their pods are. */
  readonly key: number;
  /** Equal, in one call, for the same rules about labels, taints, volumes and other pods. */
  readonly rules: string;
  /** Equal, in one call, for pods that no selector in question can tell apart. */
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
const podsPerStep = 256;
/** So many pods are put in order one by one. */
const shortList = 16;

/** The same in small steps of work. */
export function* classing(
  pods: readonly Pod[],
  others: Iterable<PodTerm> = [],
): Generator<void, readonly PodClass[]> {
  const kinds = new PodKinds();
  const kindOf: PodKind[] = [];
  for (let from = 0; from < pods.length; from += podsPerStep) {
    const upTo = Math.min(from + podsPerStep, pods.length);
    for (let index = from; index < upTo; index++) kindOf.push(kinds.of(pods[index] as Pod));
    yield;
  }
  const gathering = new Gathering(lookedAtKeys(kinds.all, others));
  yield;
  for (let from = 0; from < pods.length; from += podsPerStep) {
    const upTo = Math.min(from + podsPerStep, pods.length);
    for (let index = from; index < upTo; index++)
      gathering.add(kindOf[index] as PodKind, pods[index] as Pod);
    yield;
  }
  return yield* finished(gathering.drafts, yield* ordering(kinds, gathering.crowdTexts));
}

/** A class while its pods are gathered. */
interface Draft extends Unordered {
  readonly pods: Pod[];
}

/** Pods by kind and labels, as far as selectors look. */
class Gathering {
  readonly drafts: Draft[] = [];
  readonly #labels: Numbering<Pod['labels']>;
  readonly #numbers = new PairNumbering();

  constructor(looked: readonly string[]) {
    this.#labels = new Numbering((labels) => labelText(labels, looked));
  }

  /** By crowd. */
  get crowdTexts(): readonly string[] {
    return this.#labels.texts;
  }

  add(kind: PodKind, pod: Pod): void {
    const crowd = this.#labels.of(pod.labels);
    const known = this.drafts[this.#numbers.of(kind.index, crowd) - 1];
    // Many have one pod alone: a list that begins empty would have room for seventeen.
    if (known === undefined) this.drafts.push({ kind, crowd, pods: [pod] });
    else known.pods.push(pod);
  }
}

/** Rules and crowds get short names, since they are compared often; in order, whatever the input. */
function* finished(
  drafts: readonly Draft[],
  order: ClassOrder,
): Generator<void, readonly PodClass[]> {
  const rules = new Names('');
  const crowds = new Map<string, Names>();
  const classes: PodClass[] = [];
  for (const { kind, crowd, pods } of yield* order.inOrder(drafts)) {
    const { namespace } = kind.sample;
    const known = crowds.get(namespace);
    const ofNamespace = known ?? new Names(`${namespace} `);
    if (known === undefined) crowds.set(namespace, ofNamespace);
    const isShort = pods.length <= shortList;
    if (isShort) insertInOrder(pods, oldestFirst);
    const oldest = isShort ? pods : yield* sorting(pods, oldestFirst);
    classes.push({
      key: order.keyOf(kind, crowd),
      rules: rules.of(kind.rules),
      crowd: ofNamespace.of(crowd),
      sample: oldest[0] ?? kind.sample,
      pods: oldest,
    });
    if (classes.length % podsPerStep === 0) yield;
  }
  return classes;
}

/** Names for numbers, counted up as they come. */
class Names {
  readonly #prefix: string;
  readonly #known: string[] = [];
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  of(number: number): string {
    const known = this.#known[number];
    if (known !== undefined) return known;
    const name = `${this.#prefix}${this.#count}`;
    this.#count += 1;
    this.#known[number] = name;
    return name;
  }
}

/** The label keys that selectors of the pods' own rules, or of the terms, look at. */
function lookedAtKeys(kinds: readonly PodKind[], terms: Iterable<PodTerm>): readonly string[] {
  const keys = new Set<string>();
  const seen = new Set<number>();
  for (const { rules, sample } of kinds) {
    if (seen.has(rules)) continue;
    seen.add(rules);
    for (const { selector } of sample.spread ?? []) addKeys(keys, selector);
    for (const { selector } of sample.affinity ?? []) addKeys(keys, selector);
    for (const { selector } of sample.antiAffinity ?? []) addKeys(keys, selector);
    for (const { selector } of sample.preferredAffinity ?? []) addKeys(keys, selector);
    for (const { selector } of sample.preferredAntiAffinity ?? []) addKeys(keys, selector);
  }
  for (const { selector } of terms) addKeys(keys, selector);
  return [...keys].sort();
}

function addKeys(keys: Set<string>, selector: LabelSelector | undefined): void {
  for (const key in selector?.matchLabels) keys.add(key);
  for (const { key } of selector?.matchExpressions ?? []) keys.add(key);
}

function labelText(labels: Pod['labels'], looked: readonly string[]): string {
  let text = '';
  for (const key of looked) if (Object.hasOwn(labels, key)) text += `${key}=${labels[key]},`;
  return text;
}

function oldestFirst(a: Pod, b: Pod): number {
  if (a.createdAtMs !== b.createdAtMs) return a.createdAtMs - b.createdAtMs;
  if (a.namespace !== b.namespace) return compareText(a.namespace, b.namespace);
  // Mostly they come in order, and are found to be with one look at both names.
  if (a.name < b.name) return -1;
  return compareText(a.name, b.name) || compareText(a.uid, b.uid);
}
