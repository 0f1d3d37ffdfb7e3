import type { Trial } from './near-miss.ts';
import type { Obstacle } from './refusal-obstacle.ts';

/** More things in the way than these, and nobody would call it close. */
const mostObstacles = 2;
/** So many different near misses are looked at. */
const mostClose = 64;

/** Keeps, for each different set of obstacles, the trial that fails by the least. */
export class Closest {
  readonly #best = new Map<number, { readonly trial?: Trial | undefined; readonly gap: number }>();
  #least = Infinity;

  /** Trials with more obstacles need not be shown. */
  get most(): number {
    return this.#least === Infinity ? Infinity : Math.max(mostObstacles, this.#least);
  }

  get trials(): readonly Trial[] {
    return [...this.#best.values()]
      .flatMap(({ trial, gap }) => (trial === undefined ? [] : [{ trial, gap }]))
      .filter(({ trial }) => trial.obstacles.length <= this.most)
      .sort((a, b) => a.trial.obstacles.length - b.trial.obstacles.length || a.gap - b.gap)
      .slice(0, mostClose)
      .map(({ trial }) => trial);
  }

  /** Whether a trial of the same set, which equal keys stand for, fails by no more. */
  isBeaten(key: number, gap: number): boolean {
    const before = this.#best.get(key);
    return before !== undefined && before.gap <= gap;
  }

  /** Remembers that a whole group of trials was looked at. */
  mark(key: number, gap: number): void {
    this.#best.set(key, { gap });
  }

  add(key: number, gap: number, trial: Trial): void {
    this.#least = Math.min(this.#least, trial.obstacles.length);
    this.#best.set(key, { trial, gap });
  }
}

/** Numbers for sets of obstacles that differ in more than amounts. */
export class Signs {
  readonly #sets = new Map<string, number>();
  readonly #ofOne = new Map<string, Map<string, number>>();

  of(obstacles: readonly Obstacle[]): number {
    const [first] = obstacles;
    if (first === undefined) return 0;
    if (obstacles.length === 1) return this.#one(first);
    return this.#number(obstacles.map((obstacle) => this.#one(obstacle)).join());
  }

  #one(obstacle: Obstacle): number {
    const { constraint, key, value } = obstacle;
    const names = this.#ofOne.get(key) ?? new Map<string, number>();
    this.#ofOne.set(key, names);
    // Which value it is matters only where it could be allowed; sizes differ by amount alone.
    const isTold = constraint !== 'size' && constraint !== 'node-labels' && constraint !== 'limits';
    const name = isTold ? signature(obstacle) : constraint;
    const known =
      names.get(name) ?? this.#number(`${key} ${name}${value === undefined ? '-' : ''}`);
    names.set(name, known);
    return known;
  }

  #number(text: string): number {
    const known = this.#sets.get(text) ?? this.#sets.size + 1;
    this.#sets.set(text, known);
    return known;
  }
}

function signature({ constraint, value, taints, ports, isOthers }: Obstacle): string {
  if (taints === undefined && ports === undefined) return `${constraint} ${value} ${isOthers}`;
  const names = taints?.map((taint) => `${taint.key}=${taint.value}:${taint.effect}`);
  return `${constraint} ${names} ${ports?.map(({ port }) => port)}`;
}

const none: NonNullable<Obstacle['limits']> = [];

/** By which share of what is asked the place falls short, all obstacles together. */
export function gapOf(obstacles: readonly Obstacle[]): number {
  let gap = 0;
  for (const obstacle of obstacles) {
    if (obstacle.constraint === 'size') {
      const { asked = 1, has = asked } = obstacle;
      gap += (asked - has) / asked;
    }
    for (const { limit, used, adds } of obstacle.limits ?? none)
      gap += (used + adds - limit) / Math.max(1, limit);
  }
  return gap;
}
