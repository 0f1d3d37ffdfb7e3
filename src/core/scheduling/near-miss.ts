import type { InstanceType, Offering } from '../catalog/instance-type.ts';
import type { Constraint, Funnel, FunnelStep } from '../explain/reason.ts';
import { compareText } from '../text-order.ts';
import type { Obstacle } from './refusal-obstacle.ts';
import type { Sieved } from './refusal-sieve.ts';

/** The order in which a funnel asks: what is settled by names first, what changes daily last. */
const order: readonly Constraint[] = [
  'pool-requirements',
  'node-labels',
  'taints',
  'volumes',
  'spread',
  'affinity',
  'anti-affinity',
  'size',
  'host-ports',
  'attachments',
  'capacity',
  'limits',
  'min-values',
];
const ranks = new Map(order.map((constraint, index) => [constraint, index]));

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
const unavailable: Obstacle = { constraint: 'capacity', key: '' };

export function trialsOfPool({ grid, whole, types, outlets }: Sieved): Trials {
  const tally = new Tally('instance types');
  const close = new Closest();
  grid.types.forEach(({ type, outlets: sold, isAvailable }, index) => {
    const ofType = types[index] ?? [];
    const base = firstOf(whole, firstOf(ofType, undefined));
    let latest: Obstacle | undefined = base;
    let isPassed = false;
    sold.forEach((outlet, place) => {
      const ofOutlet = outlets[outlet] ?? [];
      const lacking = isAvailable[place] === 1 ? undefined : unavailable;
      const first = firstOf(ofOutlet, earlier(base, lacking));
      tally.offering(first);
      if (first === undefined) isPassed = true;
      else if (place === 0 || (latest !== undefined && isEarlier(latest, first))) latest = first;
      const amount = whole.length + ofType.length + ofOutlet.length + (lacking ? 1 : 0);
      if (amount > 0 && amount <= close.most)
        close.add({
          obstacles: [...whole, ...ofType, ...ofOutlet, ...(lacking ? [lacking] : [])],
          type,
          offering: type.offerings[place],
        });
    });
    if (sold.length === 0) latest = earlier(base, unavailable);
    tally.thing(isPassed ? undefined : latest);
  });
  return { funnel: tally.funnel(), close: close.trials, last: tally.last };
}

export function trialsOfNodes(nodes: readonly Trial[]): Trials {
  const tally = new Tally('nodes');
  const close = new Closest();
  for (const trial of nodes) {
    tally.thing(firstOf(trial.obstacles, undefined));
    if (trial.obstacles.length > 0 && trial.obstacles.length <= close.most) close.add(trial);
  }
  return { funnel: tally.funnel(), close: close.trials, last: tally.last };
}

/** Counts what each step removes. A type goes with the last of its offerings. */
class Tally {
  readonly #of: Funnel['of'];
  readonly #steps = new Map<string, { first: Obstacle; removed: number; offerings: number }>();
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

  #step(first: Obstacle): { removed: number; offerings: number } {
    const text = `${first.constraint} ${first.key}`;
    const step = this.#steps.get(text) ?? { first, removed: 0, offerings: 0 };
    this.#steps.set(text, step);
    return step;
  }
}

/** Keeps, for each different set of obstacles, the trial that fails by the least. */
class Closest {
  readonly #best = new Map<string, { readonly trial: Trial; readonly gap: number }>();
  #least = Infinity;

  /** Trials with more obstacles need not be shown. */
  get most(): number {
    return this.#least === Infinity ? Infinity : Math.max(mostObstacles, this.#least);
  }

  get trials(): readonly Trial[] {
    return [...this.#best.values()]
      .filter(({ trial }) => trial.obstacles.length <= this.most)
      .sort((a, b) => a.trial.obstacles.length - b.trial.obstacles.length || a.gap - b.gap)
      .map(({ trial }) => trial);
  }

  add(trial: Trial): void {
    this.#least = Math.min(this.#least, trial.obstacles.length);
    const text = trial.obstacles.map(signature).join('; ');
    const gap = gapOf(trial.obstacles);
    const before = this.#best.get(text);
    if (before === undefined || gap < before.gap) this.#best.set(text, { trial, gap });
  }
}

function signature({ constraint, key, value, taints, ports, isOthers }: Obstacle): string {
  const names = taints?.map((taint) => `${taint.key}=${taint.value}:${taint.effect}`);
  // Sizes and limits differ by amount alone, and the least is what counts.
  const what = constraint === 'size' ? '' : (value ?? '');
  return `${constraint} ${key} ${what} ${isOthers} ${names} ${ports?.map(({ port }) => port)}`;
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
  return byStep(a, b) < 0;
}

function byStep(a: Obstacle, b: Obstacle): number {
  return rankOf(a) - rankOf(b) || compareText(a.key, b.key);
}

function rankOf({ constraint }: Obstacle): number {
  return ranks.get(constraint) ?? 0;
}
