import type { RollingUpdate } from '../../../api/kubernetes/core.ts';
import { compareText } from '../../../core/text-order.ts';
import { countOf } from '../count-or-percentage.ts';

/** One ReplicaSet as the arithmetic of a rollout sees it. */
export interface SetSize {
  readonly name: string;
  /** Asked for. */
  readonly replicas: number;
  readonly available: number;
  readonly createdAtMs: number;
}

interface Slack {
  /** Pods allowed above the desired number. */
  readonly surge: number;
  /** Pods allowed to be missing from it. */
  readonly unavailable: number;
}

/** New sizes by ReplicaSet name; those left out stay as they are. */
export type Resize = ReadonlyMap<string, number>;

/** Surge rounds up and unavailability down; both zero would stand still, so one may be missing. */
export function slackOf(shares: RollingUpdate | undefined, desired: number): Slack {
  const surge = countOf(shares?.maxSurge ?? '25%', desired, 'up');
  const unavailable = countOf(shares?.maxUnavailable ?? '25%', desired, 'down');
  if (surge === 0 && unavailable === 0) return { surge, unavailable: 1 };
  return { surge, unavailable: Math.min(unavailable, desired) };
}

interface Rollout {
  readonly desired: number;
  readonly slack: Slack;
  readonly fresh: SetSize;
  readonly old: readonly SetSize[];
}

/**
 * The next step of a rolling update: first the new set grows as far as the surge allows; when it
 * cannot, the old ones shrink, sick pods first, as far as availability allows.
 */
export function rollingStep(rollout: Rollout): Resize {
  const grown = grownSize(rollout);
  if (grown !== rollout.fresh.replicas) return new Map([[rollout.fresh.name, grown]]);
  return shrunkOld(rollout);
}

function grownSize({ desired, slack, fresh, old }: Rollout): number {
  if (fresh.replicas >= desired) return desired;
  const room = desired + slack.surge - sum(old) - fresh.replicas;
  return fresh.replicas + Math.max(0, Math.min(room, desired - fresh.replicas));
}

function shrunkOld({ desired, slack, fresh, old }: Rollout): Resize {
  const least = desired - slack.unavailable;
  const freshMissing = fresh.replicas - fresh.available;
  let budget = sum(old) + fresh.replicas - least - freshMissing;
  const sizes = new Map(old.map((set) => [set.name, set.replicas]));
  for (const set of byAge(old)) {
    const sick = Math.min(Math.max(0, set.replicas - set.available), Math.max(0, budget));
    sizes.set(set.name, set.replicas - sick);
    budget -= sick;
  }
  if (budget <= 0) return changesOf(old, sizes);
  let spare = sumAvailable(old) + fresh.available - least;
  for (const set of byAge(old)) {
    const size = sizes.get(set.name) ?? 0;
    const cut = Math.min(size, Math.max(0, spare));
    sizes.set(set.name, size - cut);
    spare -= cut;
  }
  return changesOf(old, sizes);
}

/**
 * Spreads a changed number of replicas over the sets of an unfinished rollout in proportion to
 * their sizes; what rounding leaves over goes to the largest.
 */
export function proportionalStep(sets: readonly SetSize[], desired: number, surge: number): Resize {
  const total = sum(sets);
  const allowed = desired > 0 ? desired + surge : 0;
  const difference = allowed - total;
  if (difference === 0 || total === 0) return new Map();
  const bySize = [...sets].sort((a, b) => b.replicas - a.replicas || compareText(a.name, b.name));
  const sizes = new Map<string, number>();
  let left = difference;
  for (const set of bySize) {
    const part = Math.trunc((set.replicas * difference) / total);
    sizes.set(set.name, set.replicas + part);
    left -= part;
  }
  const largest = bySize[0];
  if (largest !== undefined) {
    sizes.set(largest.name, Math.max(0, (sizes.get(largest.name) ?? 0) + left));
  }
  return changesOf(sets, sizes);
}

function changesOf(sets: readonly SetSize[], sizes: ReadonlyMap<string, number>): Resize {
  const changed = sets.filter((set) => sizes.get(set.name) !== set.replicas);
  return new Map(changed.map((set) => [set.name, sizes.get(set.name) ?? set.replicas]));
}

function byAge(sets: readonly SetSize[]): readonly SetSize[] {
  return [...sets].sort((a, b) => a.createdAtMs - b.createdAtMs || compareText(a.name, b.name));
}

function sum(sets: readonly SetSize[]): number {
  return sets.reduce((total, set) => total + set.replicas, 0);
}

function sumAvailable(sets: readonly SetSize[]): number {
  return sets.reduce((total, set) => total + set.available, 0);
}
