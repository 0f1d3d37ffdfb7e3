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
  readonly inOrder: <T extends Unordered>(classes: readonly T[]) => Generator<void, readonly T[]>;
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
  const sizes = yield* ranking(sizeTexts.map(closed));
  const rules = yield* ranking(rulesTexts.map(closed));
  const crowds = yield* ranking(crowdTexts);
  const served = new Int32Array(sizes.length);
  const kinds = yield* sorting(
    onePerSize(all),
    (a, b) => importantFirst(a.sample, b.sample) || (sizes[a.size] ?? 0) - (sizes[b.size] ?? 0),
  );
  for (const [rank, { size }] of kinds.entries()) served[size] = rank;
  return {
    *inOrder(classes) {
      const byCrowd = byRank(classes, crowds.length, ({ crowd }) => crowds[crowd] ?? 0);
      yield;
      const byRules = byRank(byCrowd, rules.length, ({ kind }) => rules[kind.rules] ?? 0);
      yield;
      return byRank(byRules, served.length, ({ kind }) => served[kind.size] ?? 0);
    },
    keyOf: (kind, crowd) => {
      const rank = (sizes[kind.size] ?? 0) * rules.length + (rules[kind.rules] ?? 0);
      return rank * crowds.length + (crowds[crowd] ?? 0);
    },
  };
}

function onePerSize(kinds: readonly PodKind[]): readonly PodKind[] {
  const bySize = new Map<number, PodKind>();
  for (const kind of kinds) bySize.set(kind.size, kind);
  return [...bySize.values()];
}

/** As it stands in front of others: a text that goes on where this one ends mostly comes first. */
function closed(text: string): string {
  return `${text}|`;
}

/** By text: its place in order. */
function* ranking(texts: readonly string[]): Generator<void, Int32Array> {
  const numbers = [...texts.keys()];
  const order = yield* sorting(numbers, (a, b) => compareText(texts[a] ?? '', texts[b] ?? ''));
  const ranks = new Int32Array(texts.length);
  for (const [rank, number] of order.entries()) ranks[number] = rank;
  return ranks;
}

/** Those of one rank as they were. Looks at every item twice, however many there are. */
function byRank<T>(items: readonly T[], ranks: number, rankOf: (item: T) => number): readonly T[] {
  const next = new Int32Array(ranks + 1);
  for (const item of items) next[rankOf(item) + 1] = (next[rankOf(item) + 1] ?? 0) + 1;
  for (let rank = 1; rank < ranks; rank++) next[rank] = (next[rank] ?? 0) + (next[rank - 1] ?? 0);
  const sorted = items.slice();
  for (const item of items) {
    const rank = rankOf(item);
    const place = next[rank] ?? 0;
    sorted[place] = item;
    next[rank] = place + 1;
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
