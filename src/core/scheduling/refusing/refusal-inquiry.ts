import type { InstanceType } from '../../catalog/instance-type.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Node, Pool } from '../../cluster/snapshot.ts';
import type { Change } from '../../explain/reason.ts';
import { isOfOffering } from '../market/admission.ts';
import { LimitLedger } from '../ordering/limits.ts';
import { type Trials, trialsOfNodes, trialsOfPool } from './near-miss.ts';
import { type Aftermath, type Company, companyOf } from './refusal-aftermath.ts';
import { outletValue } from './refusal-labels.ts';
import { candidateNodes, nodeTrial } from './refusal-nodes.ts';
import { type Obstacle, readingsOf } from './refusal-obstacle.ts';
import { type Grid, gridOf, type Sieved, sieve } from './refusal-sieve.ts';
import { changedPod, changedPool, isOfPool } from './remedy-change.ts';

/** What was found out about one pod in one pool. */
export interface Look {
  readonly pool: Pool;
  /** By the reading of the pod's labels that comes closest. */
  readonly trials: Trials;
  /** The values that `minValues` asks for and types within the limits do not have. */
  readonly missing: readonly Obstacle[];
  /** Whether types beyond the limits would have them. */
  readonly isMissingByLimits: boolean;
}

/** Where a change is meant to help: in a pool, or on a node that exists. */
export type Target =
  | { readonly pool: Pool; readonly type?: InstanceType | undefined }
  | { readonly nodeName: string };

/** Questions about refused pods, all asked of the same aftermath, so that answers are shared. */
export class Inquiry {
  readonly aftermath: Aftermath;
  readonly #grids = new Map<Pool, Grid>();
  readonly #changed = new Map<string, { readonly pool: Pool; readonly ledger: LimitLedger }>();
  readonly #nodes: readonly Node[];
  readonly #nodesByName: ReadonlyMap<string, Node>;
  #last: { readonly pod: Pod; readonly company: Company } | undefined;

  constructor(aftermath: Aftermath) {
    this.aftermath = aftermath;
    this.#nodes = candidateNodes(aftermath);
    this.#nodesByName = new Map(this.#nodes.map((node) => [node.name, node]));
  }

  /** Counting who is where takes a look at every node, so that it is done once per pod. */
  companyOf(pod: Pod): Company {
    if (this.#last?.pod === pod) return this.#last.company;
    const company = companyOf(pod, this.aftermath, this.aftermath.snapshot.pools);
    this.#last = { pod, company };
    return company;
  }

  look(pod: Pod, pool: Pool, company: Company): Look {
    const { ledger } = this.aftermath;
    const looks = readingsOf(pod).map((reading): Look => {
      const sieved = sieve(this.#gridOf(pool), { pod, reading, company, ledger });
      const missing = this.#missingValues(sieved, company, 'within limits');
      const isMissingByLimits =
        missing.length > 0 && this.#missingValues(sieved, company, 'of any size').length === 0;
      return { pool, trials: trialsOfPool(sieved), missing, isMissingByLimits };
    });
    return looks.reduce(closer);
  }

  lookAtNodes(pod: Pod, company: Company): Trials {
    const { daemons } = this.aftermath.snapshot;
    const question = { pod, readings: readingsOf(pod), company };
    return trialsOfNodes(this.#nodes.map((node) => nodeTrial(node, question, daemons)));
  }

  /** Whether the changes, taken together, give the pod a place at the target. */
  helps(pod: Pod, changes: readonly Change[], target: Target): boolean {
    const changed = changedPod(pod, changes);
    if ('nodeName' in target) {
      const company = changes.every(isAboutAmounts)
        ? this.companyOf(pod)
        : companyOf(changed, this.aftermath, this.aftermath.snapshot.pools);
      return this.#isTaken(changed, target.nodeName, company);
    }
    const { pool, ledger } = this.#changedPool(target.pool, changes);
    const pools = this.aftermath.snapshot.pools.map((one) => (one.name === pool.name ? pool : one));
    const company = changes.every(isAboutAmounts)
      ? this.companyOf(pod)
      : companyOf(changed, this.aftermath, pools);
    // Which types bring how many values is told per purchase alone, so that no promise is made.
    if (pool.minValues !== undefined && !company.ties.pinned.every(isOfOffering)) return false;
    const grid = this.#gridFor(pool, target.type);
    return readingsOf(changed).some((reading) => {
      const sieved = sieve(grid, { pod: changed, reading, company, ledger });
      const missing = this.#missingValues(sieved, company, 'within limits');
      return isSure(sieved) && missing.length === 0;
    });
  }

  #isTaken(pod: Pod, nodeName: string, company: Company): boolean {
    const node = this.#nodesByName.get(nodeName);
    if (node === undefined) return false;
    const question = { pod, readings: readingsOf(pod), company };
    return nodeTrial(node, question, this.aftermath.snapshot.daemons).obstacles.length === 0;
  }

  /** One type is enough to try a change out, unless the pool asks for several. */
  #gridFor(pool: Pool, type: InstanceType | undefined): Grid {
    if (type === undefined || pool.minValues !== undefined) return this.#gridOf(pool);
    return gridOf({ ...pool, instanceTypes: [type] }, this.aftermath.snapshot.daemons);
  }

  #gridOf(pool: Pool): Grid {
    const grid = this.#grids.get(pool) ?? gridOf(pool, this.aftermath.snapshot.daemons);
    this.#grids.set(pool, grid);
    return grid;
  }

  /** Many pods are helped by the same change, which is thought through once. */
  #changedPool(pool: Pool, changes: readonly Change[]): { pool: Pool; ledger: LimitLedger } {
    const own = changes.filter(isOfPool);
    const { ledger, snapshot } = this.aftermath;
    if (own.length === 0) return { pool, ledger };
    const text = `${pool.name} ${JSON.stringify(own)}`;
    const known = this.#changed.get(text);
    if (known !== undefined) return known;
    const changed = changedPool(pool, own);
    const isLimit = own.some(({ kind }) => kind === 'raise-limit');
    const answer = {
      pool: changed,
      ledger: isLimit ? LimitLedger.of([changed], snapshot.nodes) : ledger,
    };
    // Types and ways to buy them do not depend on limits and minValues.
    if (changed.requirements === pool.requirements)
      this.#grids.set(changed, { ...this.#gridOf(pool), pool: changed });
    this.#changed.set(text, answer);
    return answer;
  }

  /** The fewest missing values of all places that the node may be bought at. */
  #missingValues(
    sieved: Sieved,
    { ties }: Company,
    size: 'within limits' | 'of any size',
  ): readonly Obstacle[] {
    const { minValues } = sieved.grid.pool;
    if (minValues === undefined || this.aftermath.settings.minValuesPolicy === 'BestEffort')
      return [];
    const isAny = size === 'of any size';
    const lists = settledPlaces(sieved.grid, ties.pinned.filter(isOfOffering)).map((isThere) => {
      const holders = holdersIn(sieved, 'freely', isThere).filter(
        (index) => isAny || sieved.types[index]?.length === 0,
      );
      return [...minValues].flatMap(([key, least]) => missingOf(sieved, holders, { key, least }));
    });
    return lists.reduce((a, b) => (b.length < a.length ? b : a), lists[0] ?? []);
  }
}

function missingOf(
  { grid }: Sieved,
  holders: readonly number[],
  { key, least }: { readonly key: string; readonly least: number },
): readonly Obstacle[] {
  const values = new Set(
    holders.flatMap((index) => {
      const set = grid.types[index]?.type.requirements.get(key);
      return set?.kind === 'only' ? [...set.values] : [];
    }),
  );
  if (values.size >= least) return [];
  return [{ constraint: 'min-values', key, asked: least, has: values.size }];
}

/** One test of outlets for each choice of values for the labels that must be settled. */
function settledPlaces(
  { outlets }: Grid,
  keys: readonly string[],
): readonly ((outlet: number) => boolean)[] {
  if (keys.length === 0) return [() => true];
  const texts = outlets.map(({ offering }) =>
    keys.map((key) => outletValue(offering, key)).join(' '),
  );
  return [...new Set(texts)].map((text) => (outlet) => texts[outlet] === text);
}

type HowSold = 'reserved' | 'freely';

/** Types, by their place in the grid, that could be bought for the pod but for limits. */
function holdersIn(
  { grid, whole, types, outlets }: Sieved,
  how: HowSold,
  isThere: (outlet: number) => boolean = () => true,
): readonly number[] {
  if (whole.length > 0) return [];
  const holders: number[] = [];
  grid.types.forEach(({ type, outlets: sold, isAvailable }, index) => {
    const obstacles = types[index] ?? [];
    if (!obstacles.every(({ constraint }) => constraint === 'limits')) return;
    const isSold = sold.some((outlet, place) => {
      if (isAvailable[place] !== 1 || outlets[outlet]?.length !== 0 || !isThere(outlet))
        return false;
      const isReserved = type.offerings[place]?.reservation !== undefined;
      return isReserved === (how === 'reserved');
    });
    if (isSold) holders.push(index);
  });
  return holders;
}

/**
 * Whether an order for the pod can be made for certain. What is reserved is not counted on: others
 * may take it first.
 */
function isSure(sieved: Sieved): boolean {
  return holdersIn(sieved, 'freely').some((index) => sieved.types[index]?.length === 0);
}

/** Whether the change leaves it as it is who the pod's rules are about, and where. */
function isAboutAmounts({ kind }: Change): boolean {
  return (
    kind === 'raise-limit' ||
    kind === 'lower-min-values' ||
    kind === 'lower-request' ||
    kind === 'drop-host-ports'
  );
}

/** The look with fewer things in the way of its closest trial; the earlier one where equal. */
function closer(a: Look, b: Look): Look {
  return distance(b) < distance(a) ? b : a;
}

function distance({ trials, missing }: Look): number {
  if (trials.last === undefined) return missing.length / 100;
  return trials.close[0]?.obstacles.length ?? Infinity;
}
