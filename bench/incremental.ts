import { readFileSync } from 'node:fs';
import type { Pod } from '../src/core/cluster/pod.ts';
import type { Node, Snapshot } from '../src/core/cluster/snapshot.ts';
import { add } from '../src/core/quantity/resources.ts';
import { solve } from '../src/core/scheduling/solve.ts';
import { questionOf } from './cluster/decode.ts';
import { instanceTypesOf, type RawInstanceType } from './cluster/instance-types.ts';
import { scenarioOf } from './cluster/scenario.ts';
import { describeMachine, type Machine, type Spread, spreadOf, timed } from './timing.ts';
import { typesFrom } from './workloads/types.mjs';
import { generate } from './workloads.mjs';

export interface IncrementalOptions {
  readonly instanceTypes: string;
  readonly runs: number;
  readonly nodes: number;
  readonly pods: number;
}

export interface IncrementalReport {
  readonly command: 'incremental';
  readonly nodes: number;
  readonly bound_pods: number;
  readonly arriving_pods: number;
  readonly empty_ms: Spread;
  readonly full_ms: Spread;
  /** How many times the time in an empty cluster: under 20. */
  readonly times: number;
  readonly scheduled_to_existing: number;
  readonly new_node_count: number;
  /** The same where no node has room, so that machines are bought. */
  readonly no_room_ms: Spread;
  readonly no_room_times: number;
  readonly no_room_new_node_count: number;
  readonly machine: Machine;
}

const arriving = 50;

/**
 * Fifty pods arrive in a large cluster with room, in one without, and in an empty one. As in the controller, views of nodes
 * that did not change are the same objects from pass to pass, and so are the pools; one node
 * changes between passes, and the snapshot that holds them is new each time.
 */
export function runIncremental(options: IncrementalOptions): IncrementalReport {
  const raw = JSON.parse(readFileSync(options.instanceTypes, 'utf8')) as readonly RawInstanceType[];
  const types = typesFrom(raw);
  const { nodes, pods } = options;
  const { items } = generate({ family: 'steady', seed: 1, nodes, pods, types });
  const sparse = questionOf(scenarioOf({ items }), instanceTypesOf(raw)).snapshot;
  const snapshot = { ...sparse, nodes: sparse.nodes.map((node) => crowded(node, pods / nodes)) };
  const empty: Snapshot = { ...snapshot, nodes: [] };
  const waves = Array.from({ length: options.runs + 2 }, (_, wave) => arrivals(raw, wave));
  const inEmpty = passes(empty, waves);
  const inFull = passes(snapshot, waves);
  const inNoRoom = passes({ ...snapshot, nodes: snapshot.nodes.map(withoutRoom) }, waves);
  const [emptyMs, fullMs] = [spreadOf(inEmpty.ms), spreadOf(inFull.ms)];
  const noRoomMs = spreadOf(inNoRoom.ms);
  return {
    command: 'incremental',
    nodes: snapshot.nodes.length,
    bound_pods: snapshot.nodes.reduce((sum, node) => sum + node.pods.length, 0),
    arriving_pods: arriving,
    empty_ms: emptyMs,
    full_ms: fullMs,
    times: fullMs.median / emptyMs.median,
    scheduled_to_existing: inFull.plan?.placements.length ?? 0,
    new_node_count: inFull.plan?.newNodes.length ?? 0,
    no_room_ms: noRoomMs,
    no_room_times: noRoomMs.median / emptyMs.median,
    no_room_new_node_count: inNoRoom.plan?.newNodes.length ?? 0,
    machine: describeMachine(),
  };
}

/** The node with so many pods at least; the further ones are small and want nothing special. */
function crowded(node: Node, amount: number): Node {
  const [model] = node.pods;
  const missing = Math.min(amount, node.allocatable.pods ?? 0) - node.pods.length;
  if (model === undefined || missing <= 0) return node;
  const more = Array.from({ length: missing }, (_, i): Pod => {
    const name = `small-${i}-of-${node.name}`;
    const labels = { app: `small-${i}` };
    return { ...model, uid: name, name, labels, requests: { cpu: 1, memory: 2 ** 20, pods: 1 } };
  });
  return { ...node, pods: [...node.pods, ...more] };
}

/** The node with no more than what its pods use. */
function withoutRoom(node: Node): Node {
  const used = node.pods.map(({ requests }) => requests).reduce(add, {});
  return { ...node, allocatable: { ...node.allocatable, ...used } };
}

/** Pods of the web family, other ones in every wave. */
function arrivals(raw: readonly RawInstanceType[], wave: number): readonly Pod[] {
  const types = typesFrom(raw);
  const { items } = generate({ family: 'web', seed: 100 + wave, pods: arriving, types });
  return questionOf(scenarioOf({ items }), []).pods;
}

/** The first two waves warm the code up and let the engine get to know the cluster. */
function passes(
  snapshot: Snapshot,
  waves: readonly (readonly Pod[])[],
): { readonly ms: readonly number[]; readonly plan: ReturnType<typeof solve> | undefined } {
  let current = snapshot;
  let plan: ReturnType<typeof solve> | undefined;
  const ms = waves.map((pods, wave) => {
    current = { ...current, nodes: withOneChanged(current.nodes, wave) };
    const pass = timed(() => solve(current, pods));
    plan = pass.result;
    return pass.ms;
  });
  return { ms: ms.slice(2), plan };
}

function withOneChanged(nodes: readonly Node[], wave: number): readonly Node[] {
  return nodes.map((node, index) =>
    index === wave ? { ...node, pods: node.pods.slice(1) } : node,
  );
}
