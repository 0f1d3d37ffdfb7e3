import { createKubeClient } from '../src/adapters/kube/client.ts';
import { createJsonLog } from '../src/adapters/system/json-log.ts';
import { createSystemClock } from '../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../src/adapters/system/system-random.ts';
import { keepYoungGenerationSmall } from '../src/adapters/system/young-generation.ts';
import type { NodeObject, PodObject } from '../src/api/kubernetes/core.ts';
import { keyOf } from '../src/api/resource.ts';
import { ClusterState } from '../src/controllers/cluster-state/cluster-state.ts';
import { createInformers, everyInformer } from '../src/controllers/cluster-state/informers.ts';
import { InstanceTypeBook } from '../src/controllers/cluster-state/instance-type-book.ts';
import { ReservationLedger } from '../src/controllers/cluster-state/ledger.ts';
import { sleep } from '../src/ports/clock.ts';
import { inSlices } from '../src/ports/slices.ts';
import { PagedServer } from './cluster/paged-server.ts';
import { scenarioOf } from './cluster/scenario.ts';
import { delayDuring, longestTurnDuring } from './loop-delay.ts';
import { describeMachine, type Machine } from './timing.ts';
import { generate } from './workloads.mjs';

interface Phase {
  readonly ms: number;
  /** How late a timer came at worst. */
  readonly longest_delay_ms: number;
  /** What the longest delay would be if this process had a core for itself. Linux only. */
  readonly longest_turn_cpu_ms: number | undefined;
}

export interface IntakeReport {
  readonly pods: number;
  readonly nodes: number;
  readonly page_bytes: number;
  /** As this machine is loaded now. */
  readonly idle: Phase;
  /** `JSON.parse` of one page, which nobody can divide. */
  readonly one_page: Phase;
  readonly first_list: Phase;
  /** Every pod and node decoded, a snapshot, and the pods that wait. */
  readonly first_look: Phase;
  /** The watches' history is gone and every object has changed. */
  readonly listed_again: Phase;
  readonly second_look: Phase;
  readonly machine: Machine;
}

const clock = createSystemClock();
const podsPerNode = 10;

/** Takes a whole cluster in, as a controller that has just started, and watches how late timers come. */
export async function measure(podCount: number, family: string): Promise<IntakeReport> {
  // As the controller does when it starts.
  keepYoungGenerationSmall();
  const pods = podsOf(podCount, family);
  const nodes = nodesFor(pods);
  const server = new PagedServer(
    clock,
    new Map<string, typeof pods | typeof nodes>([
      ['pods', pods],
      ['nodes', nodes],
    ]),
  );
  const { informers, cluster } = stateOver(server);
  const all = everyInformer(informers);
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    await inSlices(cluster.catchingUp(), clock);
    await inSlices(cluster.waitingPods(cluster.snapshot()), clock);
  };
  const idle = await phase(() => sleep(clock, 1_000));
  const onePage = await phase(async () => {
    JSON.parse(server.pageOf('pods'));
  });
  const firstList = await phase(async () => {
    for (const informer of all) informer.start(stop.signal);
    await Promise.all(all.map((informer) => informer.synced));
  });
  const firstLook = await phase(look);
  // As provisioning does, once it runs.
  informers.pods.onChange(({ object }) => cluster.podOf(object));
  server.change();
  const listedAgain = await phase(async () => {
    server.forget();
    const last = pods.at(-1);
    const isOld = (): boolean =>
      informers.pods.get(last === undefined ? '' : keyOf(last))?.metadata.resourceVersion !==
      server.version;
    while (isOld()) await sleep(clock, 5);
  });
  const secondLook = await phase(look);
  stop.abort();
  return {
    pods: pods.length,
    nodes: nodes.length,
    page_bytes: server.pageOf('pods').length,
    idle,
    one_page: onePage,
    first_list: firstList,
    first_look: firstLook,
    listed_again: listedAgain,
    second_look: secondLook,
    machine: describeMachine(),
  };
}

function stateOver(server: PagedServer) {
  const log = createJsonLog({ clock, level: 'error', write: (line) => process.stderr.write(line) });
  const kube = createKubeClient({ send: server.handle, clock, log });
  const informers = createInformers({ kube, clock, log, random: createSystemRandom() });
  const types = new InstanceTypeBook({
    cloud: {} as never,
    log,
    nodeClasses: informers.nodeClasses,
  });
  const ledger = new ReservationLedger(20_000);
  return { informers, cluster: new ClusterState({ informers, types, ledger, clock }) };
}

async function phase(work: () => Promise<void>): Promise<Phase> {
  let ms = 0;
  let cpuMs: number | undefined;
  const { longestMs } = await delayDuring(async () => {
    // What is done before the first timer has come is not seen.
    await sleep(clock, 10);
    cpuMs = await longestTurnDuring(async () => {
      const startedMs = clock.nowMs();
      await work();
      ms = clock.nowMs() - startedMs;
    });
  });
  return { ms, longest_delay_ms: longestMs, longest_turn_cpu_ms: cpuMs };
}

/** Half of them are bound, and all weigh what pods of real clusters do. */
function podsOf(count: number, family: string): readonly PodObject[] {
  const { pods } = scenarioOf(generate({ family, pods: count, seed: 1 }));
  return pods.map(weighty).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function weighty(pod: PodObject, index: number): PodObject {
  const env = Array.from({ length: 12 }, (_, i) => ({
    name: `SETTING_${i}`,
    value: `${index} ${i}`,
  }));
  const fields = Array.from({ length: 40 }, (_, i) => [`f:field-${i}`, { 'f:value': {} }]);
  const managedFields = [
    { manager: 'kubelet', operation: 'Update', fieldsV1: Object.fromEntries(fields) },
  ];
  const containers = pod.spec.containers.map((container) => ({ ...container, env }));
  const nodeName = `node-${Math.floor(index / 2 / podsPerNode)}`;
  return {
    ...pod,
    metadata: { ...pod.metadata, managedFields },
    spec: { ...pod.spec, containers, ...(index % 2 === 0 ? { nodeName } : {}) },
  };
}

function nodesFor(pods: readonly PodObject[]): readonly NodeObject[] {
  const names = new Set(pods.flatMap(({ spec }) => spec.nodeName ?? []));
  const room = { cpu: '64', memory: '256Gi', pods: '110' };
  return [...names].sort().map((name) => ({
    metadata: { name, uid: name, labels: { 'kubernetes.io/hostname': name } },
    status: { allocatable: room, capacity: room },
  }));
}
