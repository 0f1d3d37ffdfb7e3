import type { InstanceType, Offering } from '../../catalog/instance-type.ts';
import type { Funnel, FunnelStep } from '../../explain/reason.ts';
import { Closest, gapOf, Signs } from './near-miss-closest.ts';
import { earlier, firstOf, isEarlier } from './near-miss-order.ts';
import { Tally } from './near-miss-tally.ts';
import type { GridType } from './refusal-grid.ts';
import type { Obstacle } from './refusal-obstacle.ts';
import type { Sieved } from './refusal-sieve.ts';

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

const unavailable: Obstacle = { constraint: 'capacity', key: '' };

/** So many types are tried in one step. */
const typesPerStep = 256;

/** Everything that could be bought from the pool, tried on paper; in small steps. */
export function* tryingPool(sieved: Sieved): Generator<void, Trials> {
  const { grid, whole, types } = sieved;
  const tally = new Tally('instance types');
  const close = new Closest();
  const signs = new Signs();
  const ofWhole = firstOf(whole, undefined);
  const rows = new Rows(sieved, tally);
  for (let index = 0; index < grid.types.length; index++) {
    if (index % typesPerStep === 0) yield;
    const one = grid.types[index];
    const ofType = types[index];
    if (one === undefined || ofType === undefined) continue;
    const row = rows.of(one, firstOf(ofType, ofWhole));
    row.times += 1;
    const amount = whole.length + ofType.length;
    if (row.isPassed || amount + row.least > close.most) continue;
    const sign = signs.of(ofType) * 4096 + one.row;
    const gap = gapOf(ofType);
    if (close.isBeaten(sign, gap)) continue;
    close.mark(sign, gap);
    for (const { obstacles, place } of row.ways) {
      const all = [...whole, ...ofType, ...obstacles];
      if (all.length === 0 || all.length > close.most) continue;
      const key = -(signs.of(ofType) * 4096 + signs.of(obstacles)) - 1;
      const offering = one.offerings[place];
      if (!close.isBeaten(key, gap))
        close.add(key, gap, { obstacles: all, type: one.type, offering });
    }
  }
  rows.count();
  return { funnel: tally.funnel(), close: close.trials, last: tally.last };
}

/** What comes of all offerings of a type, given the first thing in the way of the type itself. */
interface Row {
  readonly firsts: readonly (Obstacle | undefined)[];
  readonly ways: readonly { readonly obstacles: readonly Obstacle[]; readonly place: number }[];
  /** The fewest obstacles of one of its offerings. */
  readonly least: number;
  readonly latest: Obstacle | undefined;
  readonly isPassed: boolean;
  times: number;
}

/** Most types are sold in the same few ways, so that each way is looked at once. */
class Rows {
  readonly #sieved: Sieved;
  readonly #tally: Tally;
  readonly #rows = new Map<number, Row>();
  readonly #firsts: readonly (Obstacle | undefined)[];

  constructor(sieved: Sieved, tally: Tally) {
    this.#sieved = sieved;
    this.#tally = tally;
    this.#firsts = sieved.outlets.map((obstacles) => firstOf(obstacles, undefined));
  }

  of(type: GridType, base: Obstacle | undefined): Row {
    const key = type.row * 4096 + (base === undefined ? 0 : this.#tally.stepOf(base).id);
    const row = this.#rows.get(key) ?? this.#make(type, base);
    this.#rows.set(key, row);
    return row;
  }

  count(): void {
    for (const { firsts, latest, isPassed, times } of this.#rows.values()) {
      for (const first of firsts) this.#tally.offering(first, times);
      this.#tally.thing(isPassed ? undefined : latest, times);
    }
  }

  #make({ outlets: sold, isAvailable }: GridType, base: Obstacle | undefined): Row {
    const firsts: (Obstacle | undefined)[] = [];
    const ways: { obstacles: readonly Obstacle[]; place: number }[] = [];
    sold.forEach((outlet, place) => {
      const lacking = isAvailable[place] === 1 ? undefined : unavailable;
      firsts.push(earlier(earlier(base, this.#firsts[outlet]), lacking));
      const own = this.#sieved.outlets[outlet] ?? [];
      ways.push({ obstacles: lacking === undefined ? own : [...own, lacking], place });
    });
    return {
      firsts,
      ways,
      least: Math.min(...ways.map(({ obstacles }) => obstacles.length)),
      latest: sold.length === 0 ? this.#latestAnywhere(base) : latestOf(firsts),
      isPassed: firsts.includes(undefined),
      times: 0,
    };
  }

  /**
   * A type that is offered nowhere could come in any way that the pool's other types are sold in:
   * only where one of those would do is it the cloud that lacks it.
   */
  #latestAnywhere(base: Obstacle | undefined): Obstacle | undefined {
    const lacking = earlier(base, unavailable);
    const firsts = this.#firsts.map((first) => earlier(lacking, first));
    return firsts.length === 0 ? lacking : latestOf(firsts);
  }
}

/** The obstacle that the funnel asks about last. */
function latestOf(firsts: readonly (Obstacle | undefined)[]): Obstacle | undefined {
  let latest: Obstacle | undefined;
  for (const first of firsts)
    if (first !== undefined && (latest === undefined || isEarlier(latest, first))) latest = first;
  return latest;
}

/** The same for nodes that exist; each trial names its node. */
export function trialsOfNodes(nodes: readonly Trial[]): Trials {
  const tally = new Tally('nodes');
  const close = new Closest();
  const signs = new Signs();
  for (const trial of nodes) {
    tally.thing(firstOf(trial.obstacles, undefined), 1);
    const amount = trial.obstacles.length;
    if (amount === 0 || amount > close.most) continue;
    const key = signs.of(trial.obstacles);
    const gap = gapOf(trial.obstacles);
    if (!close.isBeaten(key, gap)) close.add(key, gap, trial);
  }
  return { funnel: tally.funnel(), close: close.trials, last: tally.last };
}
