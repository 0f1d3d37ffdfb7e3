import { readFileSync } from 'node:fs';
import type { NodeObject, PodObject } from '../src/api/kubernetes/core.ts';
import type { InstanceType } from '../src/core/catalog/instance-type.ts';
import type { Pod } from '../src/core/cluster/pod.ts';
import type { Node, Snapshot } from '../src/core/cluster/snapshot.ts';
import { add } from '../src/core/quantity/resources.ts';
import type { Plan } from '../src/core/scheduling/plan.ts';
import { solve } from '../src/core/scheduling/solve.ts';
import { finish } from '../src/core/steps.ts';
import { instanceTypesOf, type RawInstanceType } from './cluster/instance-types.ts';
import { type Scenario, scenarioOf } from './cluster/scenario.ts';
import { ToldCluster } from './cluster/told-cluster.ts';
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
  /** The solve alone. */
  readonly empty_ms: Spread;
  readonly full_ms: Spread;
  /** How many times the time in an empty cluster. */
  readonly times: number;
  readonly scheduled_to_existing: number;
  readonly new_node_count: number;
  /** The same where no node has room, so that machines are bought. */
  readonly no_room_ms: Spread;
  readonly no_room_times: number;
  readonly no_room_new_node_count: number;
  /** The pods taken in and the snapshot brought up to date, which comes before the solve. */
  readonly empty_update_ms: Spread;
  readonly full_update_ms: Spread;
  readonly no_room_update_ms: Spread;
  /** Update and solve together, from the first pod that is told of to the plan. */
  readonly empty_answer_ms: Spread;
  readonly full_answer_ms: Spread;
  readonly no_room_answer_ms: Spread;
  /** How many times the time in an empty cluster: under 20. */
  readonly answer_times: number;
  readonly no_room_answer_times: number;
  readonly machine: Machine;
}

const arriving = 50;
/** They warm the code up and let the engine get to know the cluster. */
const warmUpWaves = 2;

/**
 * Fifty pods arrive in a large cluster with room, in one without, and in an empty one. As in the controller, they are told
 * to informers, `ClusterState` brings its snapshot up to date, and the engine is asked about those that wait. One pod of a
 * node ends at the same time. What was planned is not carried out: the pods end before the next ones come.
 */
export async function runIncremental(options: IncrementalOptions): Promise<IncrementalReport> {
  const raw = JSON.parse(readFileSync(options.instanceTypes, 'utf8')) as readonly RawInstanceType[];
  const types = instanceTypesOf(raw);
  const scenario = largeCluster(raw, options);
  const waves = Array.from({ length: options.runs + warmUpWaves }, (_, wave) =>
    arrivals(raw, wave),
  );
  const empty = { ...scenario, nodes: [], claims: [], pods: [] };
  const inEmpty = await passes(empty, types, waves);
  const inFull = await passes(scenario, types, waves);
  const inNoRoom = await passes(withoutRoom(scenario, inFull.first), types, waves);
  return {
    command: 'incremental',
    nodes: inFull.first.nodes.length,
    bound_pods: inFull.first.nodes.reduce((sum, node) => sum + node.pods.length, 0),
    arriving_pods: arriving,
    empty_ms: inEmpty.solve,
    full_ms: inFull.solve,
    times: inFull.solve.median / inEmpty.solve.median,
    scheduled_to_existing: inFull.plan.placements.length,
    new_node_count: inFull.plan.newNodes.length,
    no_room_ms: inNoRoom.solve,
    no_room_times: inNoRoom.solve.median / inEmpty.solve.median,
    no_room_new_node_count: inNoRoom.plan.newNodes.length,
    empty_update_ms: inEmpty.update,
    full_update_ms: inFull.update,
    no_room_update_ms: inNoRoom.update,
    empty_answer_ms: inEmpty.answer,
    full_answer_ms: inFull.answer,
    no_room_answer_ms: inNoRoom.answer,
    answer_times: inFull.answer.median / inEmpty.answer.median,
    no_room_answer_times: inNoRoom.answer.median / inEmpty.answer.median,
    machine: describeMachine(),
  };
}

/** Nodes in normal operation, each with so many pods at least; the further ones are small and want nothing special. */
function largeCluster(
  raw: readonly RawInstanceType[],
  { nodes, pods }: IncrementalOptions,
): Scenario {
  const types = typesFrom(raw);
  const scenario = scenarioOf(generate({ family: 'steady', seed: 1, nodes, pods, types }));
  const bound = new Map<string, number>();
  for (const { spec } of scenario.pods)
    bound.set(spec.nodeName ?? '', (bound.get(spec.nodeName ?? '') ?? 0) + 1);
  const more = scenario.nodes.flatMap(({ metadata, status }) => {
    const most = Math.min(pods / nodes, Number(status?.allocatable?.pods ?? 0));
    const missing = Math.max(0, most - (bound.get(metadata.name) ?? 0));
    return Array.from({ length: missing }, (_, index) => smallPod(index, metadata.name));
  });
  return { ...scenario, pods: [...scenario.pods, ...more] };
}

function smallPod(index: number, nodeName: string): PodObject {
  const name = `small-${index}-of-${nodeName}`;
  const resources = { requests: { cpu: '1m', memory: '1Mi' } };
  return {
    metadata: { name, namespace: 'default', uid: name, labels: { app: `small-${index}` } },
    spec: { nodeName, containers: [{ name: 'app', resources }] },
    status: { phase: 'Running' },
  };
}

/** The cluster with nodes that have no more than what their pods use. */
function withoutRoom(scenario: Scenario, { nodes }: Snapshot): Scenario {
  const usedOn = new Map(nodes.map((node) => [node.name, usedTexts(node)]));
  const full = ({ status, ...node }: NodeObject): NodeObject => {
    const allocatable = { ...status?.allocatable, ...usedOn.get(node.metadata.name) };
    return { ...node, status: { ...status, allocatable } };
  };
  return { ...scenario, nodes: scenario.nodes.map(full) };
}

function usedTexts({ pods }: Node): Readonly<Record<string, string>> {
  const used = pods.map(({ requests }) => requests).reduce(add, {});
  return Object.fromEntries(
    Object.entries(used).map(([name, amount]) => [name, `${amount}${name === 'cpu' ? 'm' : ''}`]),
  );
}

/** Pods of the web family, other ones in every wave. */
function arrivals(raw: readonly RawInstanceType[], wave: number): readonly PodObject[] {
  const types = typesFrom(raw);
  const { items } = generate({ family: 'web', seed: 100 + wave, pods: arriving, types });
  return scenarioOf({ items }).pods;
}

interface Passes {
  /** The cluster as it was before anybody arrived. */
  readonly first: Snapshot;
  readonly update: Spread;
  readonly solve: Spread;
  readonly answer: Spread;
  /** Of the last wave. */
  readonly plan: Plan;
}

async function passes(
  scenario: Scenario,
  types: readonly InstanceType[],
  waves: readonly (readonly PodObject[])[],
): Promise<Passes> {
  const cluster = await ToldCluster.of(scenario, types);
  const { state, informers } = cluster;
  const first = state.snapshot();
  let plan: Plan = { placements: [], newNodes: [], unplaced: [] };
  const parts = waves.map((pods, wave) => {
    const ending = informers.pods.by('node', first.nodes[wave]?.name ?? '').slice(0, 1);
    const update = timed(() => {
      for (const pod of ending) cluster.end(informers.pods, pod);
      for (const pod of pods) cluster.tell(informers.pods, pod);
      return upToDate(cluster);
    });
    const { snapshot, waiting } = update.result;
    const solved = timed(() => solve(snapshot, waiting));
    plan = solved.result;
    for (const pod of pods) cluster.end(informers.pods, pod);
    return { update: update.ms, solve: solved.ms };
  });
  const counted = parts.slice(warmUpWaves);
  return {
    first,
    plan,
    update: spreadOf(counted.map((part) => part.update)),
    solve: spreadOf(counted.map((part) => part.solve)),
    answer: spreadOf(counted.map((part) => part.update + part.solve)),
  };
}

/** As a round of provisioning does before it plans. */
function upToDate({ state }: ToldCluster): {
  readonly snapshot: Snapshot;
  readonly waiting: readonly Pod[];
} {
  finish(state.catchingUp());
  const snapshot = state.snapshot();
  state.supply();
  return { snapshot, waiting: finish(state.waitingPods(snapshot)) };
}
