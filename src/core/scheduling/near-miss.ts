import type { InstanceType, Offering } from '../catalog/instance-type.ts';
import type { Constraint, Funnel, FunnelStep } from '../explain/reason.ts';
import { compareText } from '../text-order.ts';
import type { Obstacle } from './refusal-obstacle.ts';
import type { Sieved } from './refusal-sieve.ts';

/** The order in which a funnel asks: what is settled by names first, what changes daily last. */
const ranks: Readonly<Record<Constraint, number>> = {
  'pool-requirements': 0,
  'node-labels': 1,
  taints: 2,
  volumes: 3,
  spread: 4,
  affinity: 5,
  'anti-affinity': 6,
  size: 7,
  'host-ports': 8,
  attachments: 9,
  capacity: 10,
  limits: 11,
  'min-values': 12,
};

/** One machine that could be bought, or one node, with everything in its way. */
export interface Trial {
  readonly obstacles: readonly Obstacle[];
  readonly type?: InstanceType | undefined;
  readonly offering?: Offering | undefined;
  readonly nodeName?: string | undefined;
}

/** What was tried in one pool or on all nodes, step by step and with what came closest. */
export interface Trials {
  readonly funnel: Omit<Funnel, 'nearest'>;
  /** With few obstacles, one for each different set of them; the closest first. */
  readonly close: readonly Trial[];
  /** The step after which nothing was left; undefined where something passed. */
  readonly last: FunnelStep | undefined;
}

/** More things in the way than these, and nobody would call it close. */
const mostObstacles = 2;
/** So many different near misses are looked at. */
const mostClose = 64;
const unavailable: Obstacle = { constraint: 'capacity', key: '' };

export function trialsOfPool({ grid, whole, types, outlets }: Sieved): Trials {
  const tally = new Tally('instance types');
  const close = new Closest();
  const signs = new Signs();
  const ofWhole = firstOf(whole, undefined);
  const firsts = outlets.map((obstacles) => firstOf(obstacles, undefined));
  const outletSigns = outlets.map((obstacles) => signs.of(obstacles));
  for (let index = 0; index < grid.types.length; index++) {
    const one = grid.types[index];
    const ofType = types[index];
    if (one === undefined || ofType === undefined) continue;
    const { type, outlets: sold, isAvailable } = one;
    const base = firstOf(ofType, ofWhole);
    const amount = whole.length + ofType.length;
    const isClose = amount <= close.most;
    const sign = isClose ? signs.of(ofType) : 0;
    const gap = isClose ? gapOf(ofType) : 0;
    let latest = sold.length === 0 ? earlier(base, unavailable) : undefined;
    let isPassed = false;
    for (let place = 0; place < sold.length; place++) {
      const outlet = sold[place] ?? 0;
      const lacking = isAvailable[place] === 1 ? undefined : unavailable;
      const first = earlier(earlier(base, firsts[outlet]), lacking);
      tally.offering(first);
      if (first === undefined) isPassed = true;
      else if (latest === undefined || isEarlier(latest, first)) latest = first;
      const ofOutlet = outlets[outlet] ?? [];
      const all = amount + ofOutlet.length + (lacking === undefined ? 0 : 1);
      if (all === 0 || all > close.most) continue;
      const key = (sign * 4096 + (outletSigns[outlet] ?? 0)) * 2 + (lacking === undefined ? 0 : 1);
      if (close.isBeaten(key, gap)) continue;
      const obstacles = [...whole, ...ofType, ...ofOutlet, ...(lacking === undefined ? [] : [lacking])];
      close.add(key, gap, { obstacles, type, offering: type.offerings[place] });
    }
    tally.thing(isPassed ? undefined : latest);
  }
  return { funnel: tally.funnel(), close: close.trials, last: tally.last };
}

export function trialsOfNodes(nodes: readonly Trial[]): Trials {
  const tally = new Tally('nodes');
  const close = new Closest();
  const signs = new Signs();
  for (const trial of nodes) {
    tally.thing(firstOf(trial.obstacles, undefined));
    const amount = trial.obstacles.length;
    if (amount === 0 || amount > close.most) continue;
    const key = signs.of(trial.obstacles);
    const gap = gapOf(trial.obstacles);
    if (!close.isBeaten(key, gap)) close.add(key, gap, trial);
  }
  return { funnel: tally.funnel(), close: close.trials, last: tally.last };
}

/** Counts what each step removes. A type goes with the last of its offerings. */
class Tally {
  readonly #of: Funnel['of'];
  readonly #steps = new Map<Constraint, Map<string, Step>>();
  #lastFirst: Obstacle | undefined;
  #lastStep: Step | undefined;
  #things = 0;
  #offerings = 0;
  #passed = 0;

  constructor(of: Funnel['of']) {
    this.#of = of;
  }

  thing(first: Obstacle | undefined): void {
    this.#things++;
    if (first === undefined) this.#passed++;
    else this.#step(first).removed++;
  }

  offering(first: Obstacle | undefined): void {
    this.#offerings++;
    if (first !== undefined) this.#step(first).offerings++;
  }

  /** The step that removed the last thing. */
  get last(): FunnelStep | undefined {
    if (this.#passed > 0) return undefined;
    return this.funnel().steps.findLast(({ removed }) => removed > 0);
  }

  funnel(): Omit<Funnel, 'nearest'> {
    const isSold = this.#of === 'instance types';
    let left = this.#things;
    let offeringsLeft = this.#offerings;
    const steps = [...this.#steps.values()]
      .flatMap((ofConstraint) => [...ofConstraint.values()])
      .sort((a, b) => byStep(a.first, b.first))
      .map(({ first, removed, offerings }): FunnelStep => {
        left -= removed;
        offeringsLeft -= offerings;
        const { constraint, key } = first;
        return {
          constraint,
          ...(key === '' ? {} : { key }),
          removed,
          left,
          ...(isSold ? { offeringsLeft } : {}),
        };
      });
    const offerings = isSold ? { offerings: this.#offerings } : {};
    return { of: this.#of, considered: this.#things, ...offerings, steps };
  }

  #step(first: Obstacle): Step {
    if (first === this.#lastFirst && this.#lastStep !== undefined) return this.#lastStep;
    const ofConstraint = this.#steps.get(first.constraint) ?? new Map<string, Step>();
    this.#steps.set(first.constraint, ofConstraint);
    const step = ofConstraint.get(first.key) ?? { first, removed: 0, offerings: 0 };
    ofConstraint.set(first.key, step);
    this.#lastFirst = first;
    this.#lastStep = step;
    return step;
  }
}

interface Step {
  readonly first: Obstacle;
  removed: number;
  offerings: number;
}

/** Keeps, for each different set of obstacles, the trial that fails by the least. */
class Closest {
  readonly #best = new Map<number, { readonly trial: Trial; readonly gap: number }>();
  #least = Infinity;

  /** Trials with more obstacles need not be shown. */
  get most(): number {
    return this.#least === Infinity ? Infinity : Math.max(mostObstacles, this.#least);
  }

  get trials(): readonly Trial[] {
    return [...this.#best.values()]
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

  add(key: number, gap: number, trial: Trial): void {
    this.#least = Math.min(this.#least, trial.obstacles.length);
    this.#best.set(key, { trial, gap });
  }
}

/** Numbers for sets of obstacles that differ in more than amounts. */
class Signs {
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
    const known = names.get(name) ?? this.#number(`${key} ${name}${value === undefined ? '-' : ''}`);
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

/** By which share of what is asked the place falls short, all obstacles together. */
export function gapOf(obstacles: readonly Obstacle[]): number {
  let gap = 0;
  for (const { asked, has, limits, constraint } of obstacles) {
    if (constraint === 'size' && asked !== undefined && has !== undefined)
      gap += (asked - has) / asked;
    for (const { limit, used, adds } of limits ?? [])
      gap += (used + adds - limit) / Math.max(1, limit);
  }
  return gap;
}

function firstOf(
  obstacles: readonly Obstacle[],
  other: Obstacle | undefined,
): Obstacle | undefined {
  let first = other;
  for (const obstacle of obstacles)
    if (first === undefined || isEarlier(obstacle, first)) first = obstacle;
  return first;
}

function earlier(a: Obstacle | undefined, b: Obstacle | undefined): Obstacle | undefined {
  if (a === undefined) return b;
  return b === undefined || isEarlier(a, b) ? a : b;
}

function isEarlier(a: Obstacle, b: Obstacle): boolean {
  const gap = rankOf(a) - rankOf(b);
  return gap < 0 || (gap === 0 && a.key < b.key);
}

function byStep(a: Obstacle, b: Obstacle): number {
  return rankOf(a) - rankOf(b) || compareText(a.key, b.key);
}

function rankOf({ constraint }: Obstacle): number {
  return ranks[constraint];
}
