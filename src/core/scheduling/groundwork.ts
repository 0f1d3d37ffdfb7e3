import type { PodClass } from '../cluster/pod-class.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import type { Workspace } from '../cluster/workspace.ts';
import { type Columns, type Vector, vectorOf } from '../quantity/columns.ts';
import type { Resources } from '../quantity/resources.ts';
import { Assigner } from './assigning/assignment.ts';
import { ladderOf, type Rung } from './assigning/ladder.ts';
import type { Task } from './assigning/outlook.ts';
import { Topology } from './between-pods/topology.ts';
import { Markets } from './market/market.ts';
import type { Stock } from './market/stock.ts';
import { Wishes } from './market/wish.ts';
import type { LimitLedger } from './ordering/limits.ts';
import type { OrderContext } from './ordering/order.ts';
import { Worths } from './packing/demand.ts';
import type { Trade } from './packing/open-node.ts';
import type { Settings } from './settings.ts';
import type { Site } from './site.ts';

export interface Given {
  /** Without pods that move, who are among those that wait, and without nodes that nobody holds. */
  readonly snapshot: Snapshot;
  readonly classes: readonly PodClass[];
  readonly settings: Settings;
  readonly site: Site;
  /** Pods may wait for those that matter less; nobody must be left without a place for it. */
  readonly isPatient?: boolean | undefined;
}

export function podsIn({ classes }: Given): number {
  return classes.reduce((sum, { pods }) => sum + pods.length, 0);
}

/** Everything that an attempt at a plan stands on; made anew for each attempt. */
export interface Groundwork {
  readonly ledger: LimitLedger;
  readonly topology: Topology;
  readonly assigner: Assigner;
  /** By weight of the pools, the heaviest first. */
  readonly trades: readonly Trade[];
  readonly orders: readonly OrderContext[];
  readonly tasks: readonly Task[];
}

const classesPerStep = 16;

/** Everything up to a task per class of pods; reserved places are taken. */
export function* layGroundwork(given: Given): Generator<void, Groundwork> {
  const { snapshot, settings, site } = given;
  const { pools, stocks, domains, slotLists } = site;
  const workspace = site.workspace();
  const ledger = site.ledger();
  const wishes = new Wishes(pools);
  const { columns } = workspace;
  const tiers = tiersOf(stocks).map((own) => new Markets({ stocks: own, pools, wishes, columns }));
  const topology = new Topology(snapshot, domains);
  yield;
  const worths = new Worths(tiers);
  const assigner = new Assigner({ workspace, slotLists, topology, domains, wishes, worths });
  const trades = tiers.map((markets) => tradeOf(markets, wishes, ledger));
  const orders = tiers.map((markets) => ({ markets, ledger, ...settings }));
  const tasks = yield* tasksOf(given, workspace, topology);
  yield* topology.lookingAround();
  yield* keepReservedPlaces(tasks, workspace, assigner);
  return { ledger, topology, assigner, trades, orders, tasks };
}

function tradeOf(markets: Markets, wishes: Wishes, ledger: LimitLedger): Trade {
  return {
    markets,
    wishes,
    ledger,
    isAffordable: (good, instead) => {
      if (good === instead) return true;
      if (instead !== undefined) ledger.charge(instead, -1);
      const isWithin = ledger.affordable(good) >= 1;
      if (instead !== undefined) ledger.charge(instead, 1);
      return isWithin;
    },
  };
}

/** A task per class, all of whose pods wait and all of whose rules are known to the topology. */
function* tasksOf(
  { classes, settings, site }: Given,
  { columns }: Workspace,
  topology: Topology,
): Generator<void, readonly Task[]> {
  const climb = {
    policy: settings.preferencePolicy,
    hasDiscouraging: site.hasDiscouraging,
  };
  // Classes with the same rules share one ladder, and so all answers about its rungs.
  const ladders = new Map<string, readonly Rung[]>();
  const needOf = sharedNeeds(columns);
  const tasks: Task[] = [];
  for (const podClass of classes) {
    const { sample, rules } = podClass;
    const known = ladders.get(rules);
    const rungs = known ?? ladderOf(sample, climb);
    const [rung] = rungs;
    if (known === undefined) ladders.set(rules, rungs);
    if (known === undefined && rung !== undefined) topology.register(sample, rung);
    const waiting = podClass.pods.toReversed();
    tasks.push({ podClass, need: needOf(sample.requests), rungs, waiting });
    if (tasks.length % classesPerStep === 0) yield;
  }
  return tasks;
}

/** Equal needs are one vector, so that answers about them are found by identity. */
function sharedNeeds(columns: Columns): (requests: Resources) => Vector {
  const byRequests = new Map<Resources, Vector>();
  const byAmounts = new Map<string, Vector>();
  return (requests) => {
    const known = byRequests.get(requests);
    if (known !== undefined) return known;
    const own = vectorOf(columns, requests);
    const text = own.join();
    const need = byAmounts.get(text) ?? own;
    byAmounts.set(text, need);
    byRequests.set(requests, need);
    return need;
  };
}

/** Pods that a node is reserved for are placed there again; all others wait. */
function* keepReservedPlaces(
  tasks: readonly Task[],
  workspace: Workspace,
  assigner: Assigner,
): Generator<void, void> {
  if (!workspace.hasPlaced) return;
  for (const [index, task] of tasks.entries()) {
    task.waiting.length = 0;
    for (const pod of task.podClass.pods) {
      const slot = workspace.placeOf(pod.uid);
      if (slot === undefined) task.waiting.push(pod);
      else {
        assigner.placements.push({ pod, nodeName: slot.name });
        assigner.countReserved(task, slot);
      }
    }
    task.waiting.reverse();
    if (index % classesPerStep === classesPerStep - 1) yield;
  }
}

/** Stocks by the weight of their pools, the heaviest first; those of one weight by name. */
function tiersOf(stocks: readonly Stock[]): readonly (readonly Stock[])[] {
  const weights = [...new Set(stocks.map(({ pool }) => pool.weight))].sort((a, b) => b - a);
  return weights.map((weight) => stocks.filter(({ pool }) => pool.weight === weight));
}
