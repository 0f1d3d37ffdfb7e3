import type { Pod, Taint } from '../cluster/pod.ts';
import type { PodClass } from '../cluster/pod-class.ts';
import type { Pool, Snapshot } from '../cluster/snapshot.ts';
import { Workspace } from '../cluster/workspace.ts';
import { type Vector, vectorOf } from '../quantity/columns.ts';
import { byName } from '../text-order.ts';
import { Assigner } from './assignment.ts';
import { Careful } from './careful.ts';
import { countInDomains } from './counting.ts';
import { type Demand, Worths } from './demand.ts';
import { Domains } from './domains.ts';
import { improve } from './improving.ts';
import { ladderOf } from './ladder.ts';
import { LimitLedger } from './limits.ts';
import { Markets } from './market.ts';
import type { OpenNode, Trade } from './open-node.ts';
import { isOrderable, type OrderContext, orderOf } from './order.ts';
import type { Task } from './outlook.ts';
import { pack } from './packing.ts';
import type { NewNode, Placement } from './plan.ts';
import type { Settings } from './settings.ts';
import { type Stock, stockOf } from './stock.ts';
import { Topology } from './topology.ts';
import { Wishes } from './wish.ts';

export interface Given {
  readonly snapshot: Snapshot;
  readonly classes: readonly PodClass[];
  readonly settings: Settings;
}

/** No node is filled beyond this share of the pods, unless so few are left that it is silly. */
const mostShare = 0.1;
const fewestMost = 30;
const mostMost = 200;

/** One attempt at a plan, from the first look at the cluster to the list of orders. */
export class Solution {
  readonly newNodes: NewNode[] = [];
  readonly ledger: LimitLedger;
  readonly #given: Given;
  readonly #tasks: readonly Task[];
  readonly #byClass: ReadonlyMap<PodClass, Task>;
  readonly #topology: Topology;
  readonly #assigner: Assigner;
  readonly #trades: readonly Trade[];
  readonly #careful: Careful;
  readonly #nodes: OpenNode[] = [];
  readonly #orders: OrderContext[];
  #isHalfKept = false;

  private constructor(given: Given) {
    const { snapshot, classes, settings } = given;
    this.#given = given;
    const pods = classes.flatMap((podClass) => podClass.pods);
    const workspace = new Workspace(snapshot, pods);
    const { columns } = workspace;
    const pools = usable(snapshot.pools);
    const wishes = new Wishes(pools);
    const stocks = new Map(pools.map((pool) => [pool, stockOf(pool, snapshot.daemons)]));
    const staying = snapshot.nodes.filter((node) => !node.isLeaving);
    const domains = new Domains([...stocks.values()], staying);
    this.ledger = LimitLedger.of(snapshot.pools, snapshot.nodes);
    const tiers = tiersOf(pools).map((tier) => {
      const own = tier
        .map((pool) => stocks.get(pool))
        .filter((one): one is Stock => one !== undefined);
      return new Markets({ stocks: own, pools, wishes, columns });
    });
    this.#trades = tiers.map((markets) => ({
      markets,
      wishes,
      ledger: this.ledger,
      isAffordable: (good, instead) => {
        if (instead !== undefined) this.ledger.charge(instead, -1);
        const isWithin = this.ledger.affordable(good) >= 1;
        if (instead !== undefined) this.ledger.charge(instead, 1);
        return isWithin;
      },
    }));
    this.#orders = tiers.map((markets) => ({ markets, ledger: this.ledger, ...settings }));
    this.#topology = new Topology(snapshot, pods, domains);
    this.#assigner = new Assigner({
      workspace,
      topology: this.#topology,
      domains,
      wishes,
      worths: new Worths(tiers),
    });
    this.#careful = new Careful({
      assigner: this.#assigner,
      trades: this.#trades,
      ledger: this.ledger,
      nodes: this.#nodes,
      isOrderable: (node) => this.#isOrderable(node),
    });
    this.#tasks = this.#tasksOf(workspace);
    this.#byClass = new Map(this.#tasks.map((task) => [task.podClass, task]));
  }

  static *find(given: Given, mode: 'fast' | 'careful'): Generator<void, Solution> {
    const solution = new Solution(given);
    yield;
    if (mode === 'fast') yield* solution.#packAll();
    yield* solution.#placeCarefully();
    yield* solution.#order();
    return solution;
  }

  get placements(): readonly Placement[] {
    return this.#assigner.placements;
  }

  /** Some pods found no place, while others were placed as if they had. */
  get isHalfKept(): boolean {
    return this.#isHalfKept;
  }

  unplacedOf(podClass: PodClass): readonly Pod[] {
    return [...this.#taskOf(podClass).waiting].reverse();
  }

  /** A task per class; reserved places are taken at once. */
  #tasksOf(workspace: Workspace): readonly Task[] {
    const { snapshot, classes, settings } = this.#given;
    const hasDiscouraging = [...snapshot.pools, ...snapshot.nodes].some(({ taints }) =>
      taints.some(discourages),
    );
    const needs = new Map<string, Vector>();
    const tasks = classes.map((podClass): Task => {
      const rungs = ladderOf(podClass.sample, {
        policy: settings.preferencePolicy,
        hasDiscouraging,
      });
      const [rung] = rungs;
      if (rung !== undefined) this.#topology.register(podClass.sample, rung);
      // Equal needs are one vector, so that answers about them are found by identity.
      const own = vectorOf(workspace.columns, podClass.sample.requests);
      const text = own.join();
      const need = needs.get(text) ?? own;
      needs.set(text, need);
      return { podClass, need, rungs, waiting: [] };
    });
    for (const task of tasks) {
      for (const pod of task.podClass.pods) {
        const slot = workspace.placeOf(pod.uid);
        if (slot === undefined) task.waiting.push(pod);
        else {
          this.#assigner.placements.push({ pod, nodeName: slot.name });
          this.#assigner.countReserved(task, slot);
        }
      }
      task.waiting.reverse();
    }
    return tasks;
  }

  /** Assigns domains until nobody moves any more, then packs what is to be bought. */
  *#packAll(): Generator<void, void> {
    for (let before = Infinity, left = this.#left(); left > 0 && left < before; ) {
      for (const task of this.#tasks) {
        this.#assign(task);
        yield;
      }
      before = left;
      left = this.#left();
    }
    for (const [tier, trade] of this.#trades.entries()) {
      // What a heavier pool could not take is offered to the lighter ones.
      const demands = this.#assigner.demands.filter(
        (demand) => demand.pods.length > 0 && demand.tier <= tier,
      );
      yield* this.#packTier(demands, trade, tier);
    }
    for (const demand of this.#assigner.demands) this.#giveBack(demand);
  }

  *#packTier(demands: readonly Demand[], trade: Trade, tier: number): Generator<void, void> {
    const context = this.#orders[tier];
    if (demands.length === 0 || context === undefined) return;
    const allPods = demands.reduce((sum, demand) => sum + demand.pods.length, 0);
    const share = Math.ceil(allPods * mostShare);
    const mostPods = Math.min(mostMost, Math.max(fewestMost, share));
    const nodes = yield* pack({
      demands,
      trade,
      ledger: this.ledger,
      groups: this.#topology.groups,
      mostPods,
      caution: this.#given.settings.caution,
      allPods,
      isOrderable: (node) => isOrderable(node, context),
    });
    const opened = [...nodes];
    yield* improve({ nodes: opened, trade, ledger: this.ledger, mostPods });
    for (const node of opened) this.#nodes.push(node);
  }

  #assign(task: Task): void {
    for (let index = 0; index < task.rungs.length && task.waiting.length > 0; index++) {
      const outlook = this.#assigner.look(task, index);
      if (outlook === undefined) return;
      this.#assigner.assign(task, outlook);
      // Who must share a node with others is placed once it is known who is where.
      if (outlook.ties.company.length > 0) return;
    }
  }

  /** Pods that could not be bought for wait again, as if they had never been counted. */
  #giveBack(demand: Demand): void {
    if (demand.pods.length === 0) return;
    const task = this.#taskOf(demand.podClass);
    if (demand.ties.zonal.length > 0 || this.#hasPriorities()) this.#isHalfKept = true;
    countInDomains(demand.ties, demand.pins, -demand.pods.length);
    for (const pod of demand.pods.splice(0)) task.waiting.push(pod);
  }

  #taskOf(podClass: PodClass): Task {
    const task = this.#byClass.get(podClass);
    if (task === undefined) throw new Error(`class ${podClass.key} was not asked about`);
    return task;
  }

  #hasPriorities(): boolean {
    return new Set(this.#given.classes.map(({ sample }) => sample.priority)).size > 1;
  }

  *#placeCarefully(): Generator<void, void> {
    for (let before = Infinity, left = this.#left(); left > 0 && left < before; ) {
      for (const task of this.#tasks) {
        if (task.waiting.length === 0) continue;
        this.#careful.place(task);
        yield;
      }
      before = left;
      left = this.#left();
    }
  }

  #left(): number {
    return this.#tasks.reduce((sum, task) => sum + task.waiting.length, 0);
  }

  #isOrderable(node: OpenNode): boolean {
    const context = this.#contextOf(node);
    return context !== undefined && isOrderable(node, context);
  }

  #contextOf({ stock }: OpenNode): OrderContext | undefined {
    return this.#orders.find(({ markets }) => markets.stocks.includes(stock));
  }

  *#order(): Generator<void, void> {
    for (const node of this.#nodes) {
      const context = this.#contextOf(node);
      const order = context === undefined ? undefined : orderOf(node, context);
      if (order !== undefined) this.newNodes.push(order);
      else
        for (const [demand, pods] of node.guests)
          this.#taskOf(demand.podClass).waiting.push(...pods);
      yield;
    }
  }
}

function discourages({ effect }: Taint): boolean {
  return effect === 'PreferNoSchedule';
}

function usable(pools: readonly Pool[]): readonly Pool[] {
  return pools.filter((pool) => pool.notReady === undefined && pool.isStatic !== true).sort(byName);
}

/** Pools by weight, the heaviest first; those of one weight by name. */
function tiersOf(pools: readonly Pool[]): readonly (readonly Pool[])[] {
  const weights = [...new Set(pools.map((pool) => pool.weight))].sort((a, b) => b - a);
  return weights.map((weight) => pools.filter((pool) => pool.weight === weight));
}
