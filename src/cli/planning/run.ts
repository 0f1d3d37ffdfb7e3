import { createJsonLog } from '../../adapters/system/json-log.ts';
import { createSeededRandom, fork } from '../../adapters/system/seeded-random.ts';
import { createVirtualClock, type VirtualClock } from '../../adapters/system/virtual-clock.ts';
import { pods } from '../../api/kubernetes/core.ts';
import { podsAsked } from '../../api/manifest/workload.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Decision } from '../../core/explain/decision.ts';
import type { Observation } from '../../ports/observation.ts';
import { readCatalog } from '../compose/catalog.ts';
import { startController } from '../compose/controller.ts';
import { openVirtualWorld } from '../compose/virtual-world.ts';
import { type PlanningFlags, planningSettings } from '../planning-flags.ts';
import { apply } from './apply.ts';
import type { Reading } from './manifests.ts';
import { type PlanReport, reportOf } from './report.ts';
import { setUp } from './set-up.ts';

type Planned = PlanReport | { readonly problems: readonly string[] };

const clusterName = 'plan';
const seed = 1;
/** Machines boot within a few seconds at this speed, and a batch is closed after ten. */
const speed = 20;
const quietMs = 20_000;
const poolPatienceMs = 60_000;
const patienceMs = 3_600_000;

/**
 * Applies the manifests to a cluster in this process, lets the production controller act on it until
 * nothing changes any more, and tells what it decided. Nothing outside of this process is touched.
 */
export async function makePlan(
  reading: Reading,
  flags: PlanningFlags & { readonly region: string },
): Promise<Planned> {
  if (reading.problems.length > 0) return { problems: reading.problems };
  const { region } = flags;
  const clock = createVirtualClock();
  const log = createJsonLog({ clock, level: 'error', write: (line) => process.stderr.write(line) });
  const random = createSeededRandom(seed);
  const parts = { clock, log, random };
  const running: Promise<unknown>[] = [];
  const world = openVirtualWorld(parts, { catalog: readCatalog(), region, clusterName, speed });
  const { kube, kubeHandle } = world;
  try {
    await world.seed();
    const stage = await setUp(reading, kubeHandle, { clusterName, ...flags });
    if (stage.problems.length > 0) return { problems: stage.problems };
    const before = new Set((await kube.list(pods)).items.map(({ metadata }) => metadata.uid));

    const { karpenter, decisions } = startController(
      { ...parts, random: fork(random, 'karpenter'), kube: kubeHandle, aws: world.aws.handle },
      { karpenter: { clusterName, ...planningSettings(flags) }, aws: { clusterName, region } },
      world.signal,
    );
    running.push(karpenter.done);
    const { observation } = karpenter;
    const decided: Decision[] = [];
    decisions.subscribe((decision) => decided.push(decision));
    await clock.runUntil(() => arePoolsReady(observation), poolPatienceMs);
    for (const manifest of stage.workloads) await apply(kubeHandle, manifest);
    const isNew = ({ isDaemon, uid }: Pod): boolean => !isDaemon && !before.has(uid);
    // Nobody counts what buffers wait for.
    const others = flags.featureGates.capacityBuffer ? Number.POSITIVE_INFINITY : 0;
    const wanted = stage.workloads.reduce((sum, one) => sum + podsAsked(one.object), others);
    const claimOfNode = await untilDecided(clock, observation, { isNew, wanted });
    const { items } = await kube.list(pods);
    const news = items.filter(({ metadata }) => !before.has(metadata.uid));
    return reportOf({ ...stage, region, decided, observation, claimOfNode, pods: news });
  } finally {
    await world.close(running);
  }
}

function arePoolsReady(observation: Observation): boolean {
  const { pools } = observation.snapshot();
  return pools.length > 0 && pools.every(({ notReady }) => notReady === undefined);
}

/**
 * Lets time pass until all pods that are wanted have a place. Where that does not come to be, until
 * nothing has changed for a while: a refused pod may still find one, and the pods of a StatefulSet
 * come one by one, as those before them run. Answers the claims of all nodes that were seen.
 */
async function untilDecided(
  clock: VirtualClock,
  observation: Observation,
  pods: { readonly isNew: (pod: Pod) => boolean; readonly wanted: number },
): Promise<ReadonlyMap<string, string>> {
  const claimOfNode = new Map<string, string>();
  const startMs = clock.nowMs();
  let lastMs = startMs;
  let last = '';
  for (;;) {
    await clock.runFor(1000);
    const { nodes } = observation.snapshot();
    for (const { name, claimName } of nodes)
      if (claimName !== undefined) claimOfNode.set(name, claimName);
    const bound = nodes.flatMap((node) => node.pods.filter(pods.isNew)).length;
    const waiting = observation.pending().filter(({ pod }) => pods.isNew(pod));
    const placed = bound + waiting.filter(({ waitsFor }) => waitsFor !== undefined).length;
    const refused = waiting.filter(({ refusal }) => refusal !== undefined).length;
    if (placed === pods.wanted && waiting.length === placed - bound) return claimOfNode;
    const now = [nodes.length, bound, waiting.length, placed, refused].join();
    if (now !== last) lastMs = clock.nowMs();
    last = now;
    if (clock.nowMs() - lastMs >= quietMs) return claimOfNode;
    if (clock.nowMs() - startMs >= patienceMs)
      throw new Error(`after ${patienceMs / 60_000} minutes of its time the cluster was not calm`);
  }
}
