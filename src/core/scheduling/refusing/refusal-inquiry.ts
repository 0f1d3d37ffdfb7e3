import type { InstanceType } from '../../catalog/instance-type.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Node, Pool } from '../../cluster/snapshot.ts';
import type { Change } from '../../explain/reason.ts';
import { isOfOffering } from '../market/admission.ts';
import { LimitLedger } from '../ordering/limits.ts';
import { type Trial, type Trials, trialsOfNodes, tryingPool } from './near-miss.ts';
import { type Aftermath, type Company, meetingCompany } from './refusal-aftermath.ts';
import { type Grid, gridding } from './refusal-grid.ts';
import { isSure, missingValues } from './refusal-holders.ts';
import { candidateNodes, nodeTrial } from './refusal-nodes.ts';
import { type Obstacle, readingsOf } from './refusal-obstacle.ts';
import { sieving } from './refusal-sieve.ts';
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

interface ChangedPool {
  readonly pool: Pool;
  readonly ledger: LimitLedger;
}

/** So many nodes are looked at in one step. */
const nodesPerStep = 64;

/**
 * Questions about refused pods, all asked of the same aftermath, so that answers are shared. Every
 * one is answered in small steps.
 */
export class Inquiry {
  readonly aftermath: Aftermath;
  readonly #grids = new Map<Pool, Grid>();
  readonly #changed = new Map<string, ChangedPool>();
  readonly #nodes: readonly Node[];
  readonly #nodesByName: ReadonlyMap<string, Node>;
  #last: { readonly pod: Pod; readonly company: Company } | undefined;

  constructor(aftermath: Aftermath) {
    this.aftermath = aftermath;
    this.#nodes = candidateNodes(aftermath);
    this.#nodesByName = new Map(this.#nodes.map((node) => [node.name, node]));
  }

  /** Counting who is where takes a look at every node, so that it is done once per pod. */
  *meetingCompany(pod: Pod): Generator<void, Company> {
    if (this.#last?.pod === pod) return this.#last.company;
    const company = yield* meetingCompany(pod, this.aftermath, this.aftermath.snapshot.pools);
    this.#last = { pod, company };
    return company;
  }

  *looking(pod: Pod, pool: Pool, company: Company): Generator<void, Look> {
    const { ledger, settings } = this.aftermath;
    const grid = yield* this.#gridding(pool);
    let closest: Look | undefined;
    for (const reading of readingsOf(pod)) {
      const sieved = yield* sieving(grid, { pod, reading, company, ledger });
      const trials = yield* tryingPool(sieved);
      const missing = missingValues(sieved, { company, settings, size: 'within limits' });
      const isMissingByLimits =
        missing.length > 0 &&
        missingValues(sieved, { company, settings, size: 'of any size' }).length === 0;
      const look = { pool, trials, missing, isMissingByLimits };
      closest = closest === undefined ? look : closer(closest, look);
      yield;
    }
    if (closest === undefined) throw new Error(`${pod.name} asks for no node at all`);
    return closest;
  }

  *lookingAtNodes(pod: Pod, company: Company): Generator<void, Trials> {
    const { daemons } = this.aftermath.snapshot;
    const question = { pod, readings: readingsOf(pod), company };
    const trials: Trial[] = [];
    for (const node of this.#nodes) {
      trials.push(nodeTrial(node, question, daemons));
      if (trials.length % nodesPerStep === 0) yield;
    }
    return trialsOfNodes(trials);
  }

  /** Finds out whether the changes, taken together, give the pod a place at the target. */
  *trying(pod: Pod, changes: readonly Change[], target: Target): Generator<void, boolean> {
    const { aftermath } = this;
    const changed = changedPod(pod, changes);
    if ('nodeName' in target) {
      const company = isAboutAmounts(pod, changes)
        ? yield* this.meetingCompany(pod)
        : yield* meetingCompany(changed, aftermath, aftermath.snapshot.pools);
      return this.#isTaken(changed, target.nodeName, company);
    }
    const { pool, ledger } = yield* this.#changing(target.pool, changes);
    const pools = aftermath.snapshot.pools.map((one) => (one.name === pool.name ? pool : one));
    const company = isAboutAmounts(pod, changes)
      ? yield* this.meetingCompany(pod)
      : yield* meetingCompany(changed, aftermath, pools);
    // Which types bring how many values is told per purchase alone, so that no promise is made.
    if (pool.minValues !== undefined && !company.ties.pinned.every(isOfOffering)) return false;
    const grid = yield* this.#griddingFor(pool, target.type);
    const { settings } = aftermath;
    for (const reading of readingsOf(changed)) {
      const sieved = yield* sieving(grid, { pod: changed, reading, company, ledger });
      const missing = missingValues(sieved, { company, settings, size: 'within limits' });
      if (isSure(sieved) && missing.length === 0) return true;
    }
    return false;
  }

  /** The same for a place in any of the pools or on any node that exists. */
  *tryingAnywhere(
    pod: Pod,
    changes: readonly Change[],
    pools: readonly Pool[],
  ): Generator<void, boolean> {
    for (const pool of pools) if (yield* this.trying(pod, changes, { pool })) return true;
    if (changes.some(isOfPool)) return false;
    const { aftermath } = this;
    const changed = changedPod(pod, changes);
    const company = yield* meetingCompany(changed, aftermath, aftermath.snapshot.pools);
    for (const [index, { name }] of this.#nodes.entries()) {
      if (this.#isTaken(changed, name, company)) return true;
      if (index % nodesPerStep === 0) yield;
    }
    return false;
  }

  #isTaken(pod: Pod, nodeName: string, company: Company): boolean {
    const node = this.#nodesByName.get(nodeName);
    if (node === undefined) return false;
    const question = { pod, readings: readingsOf(pod), company };
    return nodeTrial(node, question, this.aftermath.snapshot.daemons).obstacles.length === 0;
  }

  /** One type is enough to try a change out, unless the pool asks for several. */
  *#griddingFor(pool: Pool, type: InstanceType | undefined): Generator<void, Grid> {
    if (type === undefined || pool.minValues !== undefined) return yield* this.#gridding(pool);
    return yield* gridding({ ...pool, instanceTypes: [type] }, this.aftermath.snapshot.daemons);
  }

  *#gridding(pool: Pool): Generator<void, Grid> {
    const known = this.#grids.get(pool);
    if (known !== undefined) return known;
    const grid = yield* gridding(pool, this.aftermath.snapshot.daemons);
    this.#grids.set(pool, grid);
    return grid;
  }

  /** Many pods are helped by the same change, which is thought through once. */
  *#changing(pool: Pool, changes: readonly Change[]): Generator<void, ChangedPool> {
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
      this.#grids.set(changed, { ...(yield* this.#gridding(pool)), pool: changed });
    this.#changed.set(text, answer);
    return answer;
  }
}

/**
 * Whether the changes leave it as it is who the pod's rules are about, and where. A smaller pod may
 * come to be spread over more domains: those that have a machine for it.
 */
function isAboutAmounts({ spread }: Pod, changes: readonly Change[]): boolean {
  const isSpread = spread?.some(({ isHard }) => isHard) === true;
  return changes.every(
    ({ kind }) =>
      kind === 'raise-limit' ||
      kind === 'lower-min-values' ||
      kind === 'drop-host-ports' ||
      (kind === 'lower-request' && !isSpread),
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
