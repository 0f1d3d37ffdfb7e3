import { expectedOn, factsOf } from '../cluster/node-facts.ts';
import type { Taint } from '../cluster/pod.ts';
import type { PodClass } from '../cluster/pod-class.ts';
import type { Pool, Snapshot } from '../cluster/snapshot.ts';
import { type Mark, Workspace } from '../cluster/workspace.ts';
import { byName } from '../text-order.ts';
import { SlotLists } from './assigning/slot-lists.ts';
import { Domains } from './between-pods/domains.ts';
import { type Stock, stocking } from './market/stock.ts';
import { LimitLedger } from './ordering/limits.ts';

/** What every attempt at a plan finds before it begins: looked at once, and the same for all. */
export interface Site {
  /** The pools that nodes can be bought from, by name. */
  readonly pools: readonly Pool[];
  readonly stocks: readonly Stock[];
  readonly domains: Domains;
  readonly slotLists: SlotLists;
  /** Whether any node or pool has a taint that only discourages. */
  readonly hasDiscouraging: boolean;
  /** As it is before anything is placed; the attempt before is undone. */
  readonly workspace: () => Workspace;
  /** The limits as they are before anything is bought. */
  readonly ledger: () => LimitLedger;
}

const nodesPerStep = 32;

/** Looks at the nodes for the first time, in steps; whoever asks afterwards finds the answers. */
export function* meetNodes({ nodes, daemons }: Snapshot): Generator<void, void> {
  for (const [index, node] of nodes.entries()) {
    factsOf(node);
    expectedOn(node, daemons);
    if (index % nodesPerStep === nodesPerStep - 1) yield;
  }
}

/** The site for plans about these pods; one attempt at a time may use it. */
export function* surveying(
  snapshot: Snapshot,
  classes: readonly PodClass[],
): Generator<void, Site> {
  const samples = classes.map(({ sample }) => sample);
  // In an empty cluster nobody can have a node reserved.
  const pods = snapshot.nodes.length === 0 ? [] : classes.flatMap((podClass) => podClass.pods);
  const workspace = new Workspace(snapshot, pods, samples);
  const start: Mark = workspace.mark();
  yield;
  const pools = snapshot.pools.filter(isUsable).sort(byName);
  const stocks: Stock[] = [];
  for (const pool of pools) stocks.push(yield* stocking(pool, snapshot.daemons));
  const needs = samples.map((sample) => workspace.need(sample));
  const slotLists = new SlotLists(workspace.slots, needs);
  yield;
  const ledger = LimitLedger.of(snapshot.pools, snapshot.nodes);
  yield;
  return {
    pools,
    stocks,
    domains: new Domains(stocks, snapshot.nodes, classes),
    slotLists,
    hasDiscouraging: snapshot.pools.some(isDiscouraging) || snapshot.nodes.some(isDiscouraging),
    workspace: () => {
      workspace.undo(start);
      return workspace;
    },
    ledger: () => ledger.copy(),
  };
}

function isUsable({ notReady, isStatic }: Pool): boolean {
  return notReady === undefined && isStatic !== true;
}

function isDiscouraging({ taints }: { readonly taints: readonly Taint[] }): boolean {
  return taints.some(({ effect }) => effect === 'PreferNoSchedule');
}
