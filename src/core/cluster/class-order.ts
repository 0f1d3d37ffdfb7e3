import { sorting } from '../steps.ts';
import { compareText } from '../text-order.ts';
import type { Pod } from './pod.ts';
import type { PodKind, PodKinds } from './pod-kind.ts';

/** What decides the place of a class among others. */
export interface Unordered {
  readonly kind: PodKind;
  /** Equal for the same labels, as far as selectors look. */
  readonly crowd: number;
}

/** The order of classes: important pods first, then large ones, then by what else they are. */
export interface ClassOrder {
  readonly inOrder: <T extends Unordered>(classes: readonly T[]) => readonly T[];
  /** Numbers in the order of what pods are, be they important, large or not. */
  readonly keyOf: (kind: PodKind, crowd: number) => number;
}

/**
 * Ranks the sizes, rules and crowds that classes are made of, in small steps of work. There are
 * far fewer of them than classes, and their texts are long.
 */
export function* ordering(
  { all, sizeTexts, rulesTexts }: PodKinds,
  crowdTexts: readonly string[],
): Generator<void, ClassOrder> {
  const sizes = yield* ranking(sizeTexts.map(closed), compareText);
  const rules = yield* ranking(rulesTexts.map(closed), compareText);
  const crowds = yield* ranking(crowdTexts, compareText);
  const rankOf = (kind: PodKind): number =>
    (sizes[kind.size] ?? 0) * rules.length + (rules[kind.rules] ?? 0);
  const kinds = yield* ranking(
    all,
    (a, b) => importantFirst(a.sample, b.sample) || rankOf(a) - rankOf(b),
  );
  return {
    inOrder: (classes) => {
      const byCrowd = byRank(classes, crowds.length, ({ crowd }) => crowds[crowd] ?? 0);
      return byRank(byCrowd, kinds.length, ({ kind }) => kinds[kind.index] ?? 0);
    },
    keyOf: (kind, crowd) => rankOf(kind) * crowds.length + (crowds[crowd] ?? 0),
  };
}

/** As it stands in front of others: a text that goes on where this one ends mostly comes first. */
function closed(text: string): string {
  return `${text}|`;
}

/** By item: its place in order. */
function* ranking<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<void, Int32Array> {
  const places = yield* sorting([...items.keys()], (a, b) => compare(items[a] as T, items[b] as T));
  const ranks = new Int32Array(items.length);
  for (let rank = 0; rank < ranks.length; rank++) ranks[places[rank] ?? 0] = rank;
  return ranks;
}

/** Those of one rank as they were. Looks at every item twice, however many there are. */
function byRank<T>(items: readonly T[], ranks: number, rankOf: (item: T) => number): readonly T[] {
  const starts = new Int32Array(ranks + 1);
  for (const item of items) starts[rankOf(item) + 1] = (starts[rankOf(item) + 1] ?? 0) + 1;
  for (let rank = 0; rank < ranks; rank++)
    starts[rank + 1] = (starts[rank + 1] ?? 0) + (starts[rank] ?? 0);
  const sorted = items.slice();
  for (const item of items) {
    const place = starts[rankOf(item)] ?? 0;
    sorted[place] = item;
    starts[rankOf(item)] = place + 1;
  }
  return sorted;
}

function importantFirst(a: Pod, b: Pod): number {
  return (
    b.priority - a.priority ||
    (b.requests.cpu ?? 0) - (a.requests.cpu ?? 0) ||
    (b.requests.memory ?? 0) - (a.requests.memory ?? 0)
  );
}
