import type { Pod } from '../cluster/pod.ts';
import type { PodClass } from '../cluster/pod-class.ts';
import type { Task } from './assigning/outlook.ts';
import { countInDomains } from './between-pods/counting.ts';
import { type Given, type Groundwork, layGroundwork } from './groundwork.ts';
import { isOrderable, type OrderContext } from './ordering/order.ts';
import { OrderBook } from './ordering/order-book.ts';
import { spread } from './ordering/spreading.ts';
import { binning } from './packing/bin.ts';
import { Careful } from './packing/careful.ts';
import { boldMost, looserMost, prudentMost, Rivals } from './packing/crowding.ts';
import type { Demand } from './packing/demand.ts';
import { improve, improveAll, priceOf } from './packing/improving.ts';
import type { OpenNode, Trade } from './packing/open-node.ts';
import { pack } from './packing/packing.ts';
import type { NewNode, Placement } from './plan.ts';
import { compareLeft, hasPriorities, inTurn, leftOf, roundsOf } from './rounds.ts';
import { isThrifty, type Way } from './way.ts';
import { useWhatIsThere } from './what-is-there.ts';

/** So many pods get their domains, and so many nodes their orders, in one step. */
const podsPerStep = 64;
const tasksPerStep = 8;
/** The same for places that are looked at, each by the eyes of every rule that has to do with them. */
const looksPerStep = 1024;
const nodesPerStep = 8;

/** What an attempt must keep to beside the rules. */
interface Bounds {
  /** What is paid for safety does not lift the plan above this price. */
  readonly mostUsdPerHour?: number;
  /** Who packs boldly puts up to so many times as many pods as usual on a node. */
  readonly looseness?: number;
}

/** One attempt at a plan, from the first look at the cluster to the list of orders. */
export class Solution {
  readonly newNodes: NewNode[] = [];
  readonly rivals = new Rivals();
  readonly #given: Given;
  readonly #ground: Groundwork;
  readonly #way: Way;
  readonly #bounds: Bounds;
  #byClass: ReadonlyMap<PodClass, Task> | undefined;
  readonly #careful: Careful;
  readonly #nodes: OpenNode[] = [];
  readonly #mayWait: boolean;
  #isHalfKept = false;
  /** What the nodes cost before some were planned in other spot pools. */
  #packedUsdPerHour = 0;

  private constructor(given: Given, ground: Groundwork, way: Way, bounds: Bounds) {
    this.#given = given;
    this.#way = way;
    this.#bounds = bounds;
    this.#ground = ground;
    this.#mayWait = given.isPatient === true || !hasPriorities(ground.tasks);
    const { assigner, trades, ledger } = ground;
    const isStrict = given.settings.minValuesPolicy === 'Strict';
    this.#careful = new Careful({
      assigner,
      trades,
      ledger,
      nodes: this.#nodes,
      isOrderable: (node) => this.#isOrderable(node),
      hasMinValues: ({ minValues }) => isStrict && minValues !== undefined,
      isThrifty: isThrifty(way),
      isEven: !way.endsWith('unevenly'),
    });
  }

  /** A plan made in such a way. */
  static *find(given: Given, way: Way, bounds: Bounds = {}): Generator<void, Solution> {
    const ground = yield* layGroundwork(given);
    const solution = new Solution(given, ground, way, bounds);
    const isPacked = way === 'prudently' || way === 'boldly';
    yield* useWhatIsThere(ground, solution.#mayWait);
    if (isPacked) yield* solution.#packAll();
    yield* solution.#placeCarefully();
    if (!isPacked) {
      yield* improveAll(solution.#nodes, ground);
      // Nodes that shrank or went may have left room in the limits.
      solution.#careful.lookAfresh();
      yield* solution.#placeCarefully();
    }
    yield* solution.#spread();
    yield* solution.#order();
    return solution;
  }

  /** The same once more, but below such a price as far as safety decides it. */
  *again(mostUsdPerHour: number): Generator<void, Solution> {
    return yield* Solution.find(this.#given, this.#way, { ...this.#bounds, mostUsdPerHour });
  }

  /**
   * Whether more pods have a place here, the most important first, or as many at a price that is
   * lower by such a part. What is paid for safety on either side does not count.
   */
  isBetterThan(other: Solution, leastSaving = 0): boolean {
    const difference = this.compareLeft(other);
    const most = other.#packedUsdPerHour * (1 - leastSaving) - 1e-9;
    return difference === 0 ? this.#packedUsdPerHour < most : difference < 0;
  }

  /** Below zero where fewer pods that matter are left without a place here than there. */
  compareLeft(other: Solution): number {
    return compareLeft(this.#ground.tasks, other.#ground.tasks);
  }

  get usdPerHour(): number {
    return this.newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0);
  }

  /** How many pods stand on the new node with most of them. */
  get fullest(): number {
    return this.newNodes.reduce((most, { pods }) => Math.max(most, pods.length), 0);
  }

  get placements(): readonly Placement[] {
    return this.#ground.assigner.placements;
  }

  /** Some pods found no place, while others were placed as if they had. */
  get isHalfKept(): boolean {
    return this.#isHalfKept;
  }

  /** Pods without a place, by class. */
  get unplaced(): ReadonlyMap<PodClass, readonly Pod[]> {
    const unplaced = new Map<PodClass, readonly Pod[]>();
    for (const { podClass, waiting } of this.#ground.tasks)
      if (waiting.length > 0) unplaced.set(podClass, waiting.toReversed());
    return unplaced;
  }

  /** Assigns domains until nobody moves any more, then packs what is to be bought. */
  *#packAll(): Generator<void, void> {
    const { tasks, assigner } = this.#ground;
    const shouldWait = (task: Task): boolean => this.#mayWait && assigner.wouldBeFirst(task);
    for (let before = Infinity, left = this.left; left > 0 && left < before; ) {
      let [pods, served, looks] = [0, 0, 0];
      for (const task of inTurn(tasks, shouldWait)) {
        pods += task.waiting.length;
        served += 1;
        looks += this.#assign(task);
        if (pods < podsPerStep && served < tasksPerStep && looks < looksPerStep) continue;
        [pods, served, looks] = [0, 0, 0];
        yield;
      }
      before = left;
      left = this.left;
    }
    for (const [tier, trade] of this.#ground.trades.entries()) {
      // What a heavier pool could not take is offered to the lighter ones.
      const demands = this.#ground.assigner.demands.filter(
        (demand) => demand.pods.length > 0 && demand.tier <= tier,
      );
      yield* this.#packTier(demands, trade, tier);
    }
    for (const demand of this.#ground.assigner.demands) this.#giveBack(demand);
  }

  *#packTier(demands: readonly Demand[], trade: Trade, tier: number): Generator<void, void> {
    const context = this.#ground.orders[tier];
    if (demands.length === 0 || context === undefined) return;
    const allPods = demands.reduce((sum, demand) => sum + demand.pods.length, 0);
    const isBold = this.#way === 'boldly';
    const mostPods = isBold ? boldMost(allPods, this.#bounds.looseness) : prudentMost(allPods);
    const bins = yield* binning(demands);
    const compare = yield* this.rivals.estimate(bins, trade.markets, mostPods);
    const nodes = yield* pack({
      bins,
      trade,
      ledger: this.#ground.ledger,
      groups: this.#ground.topology.groups,
      mostPods,
      looserMost: isBold ? mostPods : looserMost(allPods),
      caution: isBold ? 0 : this.#given.settings.caution,
      allPods,
      isOrderable: (node) => isOrderable(node, context),
    });
    const opened = [...nodes];
    const fullest = opened.reduce((most, { pods }) => Math.max(most, pods), mostPods);
    yield* improve({ nodes: opened, trade, ledger: this.#ground.ledger, mostPods: fullest });
    compare(priceOf(opened));
    for (const node of opened) this.#nodes.push(node);
  }

  /** Gives the task's pods their domains; says how much was looked at for it. */
  #assign(task: Task): number {
    let looks = 0;
    for (let index = 0; index < task.rungs.length && task.waiting.length > 0; index++) {
      const outlook = this.#ground.assigner.look(task, index);
      if (outlook === undefined) break;
      const { ties, options } = outlook;
      looks += options.length * (1 + ties.zonal.length);
      this.#ground.assigner.assign(task, outlook);
      // Who must share a node with others is placed once it is known who is where.
      if (ties.company.length > 0) break;
    }
    return looks;
  }

  /** Pods that could not be bought for wait again, as if they had never been counted. */
  #giveBack(demand: Demand): void {
    if (demand.pods.length === 0) return;
    const task = this.#taskOf(demand.podClass);
    if (demand.ties.zonal.length > 0 || hasPriorities(this.#ground.tasks)) this.#isHalfKept = true;
    countInDomains(demand.ties, demand.pins, -demand.pods.length);
    for (const pod of demand.pods.splice(0)) task.waiting.push(pod);
  }

  /** Limits that packing did not foresee leave no list of types for the node. */
  #giveUp({ guests }: OpenNode): void {
    this.#isHalfKept = true;
    for (const { demand, pods } of guests) this.#taskOf(demand.podClass).waiting.push(...pods);
  }

  #taskOf(podClass: PodClass): Task {
    this.#byClass ??= new Map(this.#ground.tasks.map((task) => [task.podClass, task]));
    const task = this.#byClass.get(podClass);
    if (task === undefined) throw new Error(`class ${podClass.key} was not asked about`);
    return task;
  }

  *#placeCarefully(): Generator<void, void> {
    if (this.left === 0) return;
    const { tasks, assigner } = this.#ground;
    const shouldWait = (task: Task): boolean => assigner.wouldBeFirst(task);
    for (const { newcomers, everyone } of roundsOf(tasks, this.#mayWait)) {
      let served = newcomers;
      for (let before = leftOf(everyone); leftOf(served) > 0; before = leftOf(everyone)) {
        for (const task of inTurn(served, shouldWait)) {
          if (task.waiting.length === 0) continue;
          yield* this.#careful.placing(task);
        }
        if (leftOf(everyone) === before) break;
        served = everyone;
      }
    }
  }

  /** How many pods have no place. */
  get left(): number {
    return leftOf(this.#ground.tasks);
  }

  #isOrderable(node: OpenNode): boolean {
    const context = this.#contextOf(node);
    return context !== undefined && isOrderable(node, context);
  }

  #contextOf({ stock }: OpenNode): OrderContext | undefined {
    return this.#ground.orders.find(({ markets }) => markets.stocks.includes(stock));
  }

  *#spread(): Generator<void, void> {
    this.#packedUsdPerHour = priceOf(this.#nodes);
    // Such a plan counts only where it is the cheapest, and the original's costs no more.
    if (isThrifty(this.#way)) return;
    const { caution } = this.#given.settings;
    const { mostUsdPerHour = Infinity } = this.#bounds;
    const most = this.rivals.mostForSafety(this.#packedUsdPerHour, caution);
    const mostRiseUsdPerHour = Math.min(mostUsdPerHour, most) - this.#packedUsdPerHour;
    yield* spread({ nodes: this.#nodes, trades: this.#ground.trades, caution, mostRiseUsdPerHour });
  }

  *#order(): Generator<void, void> {
    const books = this.#ground.orders.map((context) => new OrderBook(context));
    for (const node of this.#nodes) {
      // What was kept of the limits for this order is there for it alone.
      this.#careful.margins.release(node);
      const order = books.find((book) => book.isFor(node))?.orderOf(node);
      if (order !== undefined) this.newNodes.push(order);
      else this.#giveUp(node);
      if (this.newNodes.length % nodesPerStep === 0) yield;
    }
  }
}
