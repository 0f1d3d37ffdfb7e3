import { decodePod } from '../../api/decode/pod.ts';
import type { PodObject } from '../../api/kubernetes/core.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Decision } from '../../core/explain/decision.ts';
import { shortList, workloadOf } from '../../core/explain/words.ts';
import { compareText } from '../../core/text-order.ts';
import type { Observation } from '../../ports/observation.ts';
import { namespaceOf } from './apply.ts';
import type { Ignored, Manifest } from './manifests.ts';
import { podsAsked } from './surroundings.ts';

/** What would be bought, under the names that `--output json` promises. */
export interface PlanReport {
  readonly region: string;
  readonly nodes: readonly NodeGroup[];
  readonly workloads: readonly Workload[];
  readonly cost: {
    readonly usdPerHour: number;
    /** Of 730 hours. */
    readonly usdPerMonth: number;
    /** If EC2 gave the dearest of what the orders allow. */
    readonly usdPerHourAtMost: number;
  };
  readonly unplaced: readonly UnplacedGroup[];
  readonly notes: readonly string[];
  readonly ignored: readonly Ignored[];
}

/** New nodes that are alike. */
export interface NodeGroup {
  readonly count: number;
  readonly nodePool: string;
  readonly instanceType: string;
  readonly zones: readonly string[];
  readonly capacityType: string;
  /** Of each. */
  readonly usdPerHour: number;
  readonly usdPerHourAtMost: number;
  /** How many the order allows EC2 to choose from. */
  readonly instanceTypes: number;
  /** On all of them together. */
  readonly pods: number;
}

export interface Workload {
  readonly kind: string;
  readonly name: string;
  readonly pods: number;
  readonly onNewNodes: number;
  /** On the system nodes of the cluster, which cost nothing here. */
  readonly onOtherNodes: number;
  /** How many new nodes have pods of it. */
  readonly newNodes: number;
}

/** Pods of a workload that no node is bought for, for the same reason. */
export interface UnplacedGroup {
  readonly kind: string;
  readonly name: string;
  readonly pods: number;
  readonly code: string;
  readonly sentence: string;
  readonly remedies: readonly string[];
}

export interface ReportParts {
  readonly region: string;
  readonly decided: readonly Decision[];
  readonly observation: Observation;
  readonly claimOfNode: ReadonlyMap<string, string>;
  readonly pods: readonly PodObject[];
  readonly workloads: readonly Manifest[];
  readonly notes: readonly string[];
  readonly ignored: readonly Ignored[];
}

const hoursPerMonth = 730;

export function reportOf(parts: ReportParts): PlanReport {
  const pods = parts.pods.map((pod) => decodePod(pod)).filter(({ isDaemon }) => !isDaemon);
  const places = placesOf(pods, parts);
  const nodes = groupsOf(purchases(parts), places);
  const usdPerHour = sumOf(nodes, (group) => group.usdPerHour);
  return {
    region: parts.region,
    nodes,
    workloads: workloadsOf(pods, places, parts),
    cost: {
      usdPerHour: rounded(usdPerHour, 6),
      usdPerMonth: rounded(usdPerHour * hoursPerMonth, 2),
      usdPerHourAtMost: rounded(
        sumOf(nodes, (group) => group.usdPerHourAtMost),
        6,
      ),
    },
    unplaced: unplacedOf(pods, places, parts),
    notes: [...parts.notes, ...shortfalls(pods, parts), ...clusterNotes(parts)],
    ignored: parts.ignored,
  };
}

/** The claim or node of each pod that has one, by uid. */
function placesOf(
  pods: readonly Pod[],
  { observation, claimOfNode }: ReportParts,
): ReadonlyMap<string, string> {
  const waiting = new Map(observation.pending().map(({ pod, waitsFor }) => [pod.uid, waitsFor]));
  return new Map(
    pods.flatMap(({ uid, nodeName }) => {
      const place = nodeName ?? waiting.get(uid);
      return place === undefined ? [] : [[uid, claimOfNode.get(place) ?? place] as const];
    }),
  );
}

/** Orders that led to a machine; one that the cloud refused was planned again. */
function purchases({ decided, observation }: ReportParts): readonly Decision[] {
  const launched = decided.filter(({ code }) => code === 'NodeLaunched');
  const there = observation.snapshot().nodes.map(({ claimName }) => claimName);
  const real = new Set([...launched.map(({ subject }) => subject.name), ...there]);
  return decided.filter(({ code, subject }) => code === 'NodeOrdered' && real.has(subject.name));
}

function groupsOf(
  orders: readonly Decision[],
  places: ReadonlyMap<string, string>,
): readonly NodeGroup[] {
  const podsOn = countsOf([...places.values()]);
  const groups = new Map<string, NodeGroup>();
  for (const order of orders) {
    const one = nodeOf(order, podsOn.get(order.subject.name) ?? 0);
    const { zones, count: _count, pods: _pods, ...alike } = one;
    const key = JSON.stringify(alike);
    const group = groups.get(key) ?? { ...one, count: 0, zones: [], pods: 0 };
    groups.set(key, {
      ...group,
      count: group.count + 1,
      zones: [...new Set([...group.zones, ...zones])].sort(),
      pods: group.pods + one.pods,
    });
  }
  return [...groups.values()].sort(
    (a, b) =>
      compareText(a.nodePool, b.nodePool) ||
      b.usdPerHour - a.usdPerHour ||
      compareText(JSON.stringify(a), JSON.stringify(b)),
  );
}

function nodeOf({ because }: Decision, pods: number): NodeGroup {
  const facts = new Map(because.map(({ name, value }) => [name, value]));
  const usdPerHour = Number(facts.get('priceUsdPerHour'));
  return {
    count: 1,
    nodePool: String(facts.get('pool')),
    instanceType: String(facts.get('instanceType')),
    zones: [String(facts.get('zone'))],
    capacityType: String(facts.get('capacityType')),
    usdPerHour,
    usdPerHourAtMost: Number(facts.get('dearestUsdPerHour') ?? usdPerHour),
    instanceTypes: Number(facts.get('instanceTypes')),
    pods,
  };
}

function workloadsOf(
  pods: readonly Pod[],
  places: ReadonlyMap<string, string>,
  { claimOfNode }: ReportParts,
): readonly Workload[] {
  const claims = new Set(claimOfNode.values());
  return [...byWorkload(pods)].map(([name, own]) => {
    const taken = own.flatMap(({ uid }) => places.get(uid) ?? []);
    const bought = taken.filter((place) => claims.has(place));
    return {
      kind: kindOf(own),
      name,
      pods: own.length,
      onNewNodes: bought.length,
      onOtherNodes: taken.length - bought.length,
      newNodes: new Set(bought).size,
    };
  });
}

/** Pods of one workload may be refused for different reasons: a limit that only some exceed. */
function unplacedOf(
  pods: readonly Pod[],
  places: ReadonlyMap<string, string>,
  { observation }: ReportParts,
): readonly UnplacedGroup[] {
  const refusals = new Map(observation.pending().map(({ pod, refusal }) => [pod.uid, refusal]));
  const groups = new Map<string, UnplacedGroup>();
  const without = pods.filter(({ uid }) => !places.has(uid));
  for (const [name, own] of byWorkload(without)) {
    for (const { uid } of own) {
      const { code, sentence, remedies = [] } = refusals.get(uid) ?? unheard;
      const key = `${name}\n${sentence}`;
      const said = { code, sentence, remedies: remedies.map((remedy) => remedy.sentence) };
      const group = groups.get(key) ?? { kind: kindOf(own), name, pods: 0, ...said };
      groups.set(key, { ...group, pods: group.pods + 1 });
    }
  }
  return [...groups.values()];
}

const unheard = {
  code: 'not-asked',
  sentence: 'Karpenter is not asked: the pod has scheduling gates, or names another scheduler.',
  remedies: [],
};

function clusterNotes({ observation }: ReportParts): readonly string[] {
  const { pools, daemons } = observation.snapshot();
  const names = daemons.map(({ namespace, name }) => `${namespace}/${name}`).sort();
  return [
    ...pools.flatMap(({ name, notReady }) =>
      notReady === undefined ? [] : [`Nothing is ordered from NodePool ${name}: ${notReady}.`],
    ),
    `Every new node has room for its daemons: ${shortList(names, 5)}.`,
  ];
}

/** A StatefulSet whose first pod waits does not make the others. */
function shortfalls(pods: readonly Pod[], { workloads }: ReportParts): readonly string[] {
  const found = byWorkload(pods);
  return workloads.flatMap((manifest) => {
    const { kind, name } = manifest;
    const there = found.get(`${namespaceOf(manifest)}/${name}`)?.length ?? 0;
    const asked = podsAsked(manifest);
    return there < asked && name !== ''
      ? [`${kind} ${name} has made ${there} of its ${asked} pods.`]
      : [];
  });
}

function byWorkload(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods)
    groups.set(workloadOf(pod), [...(groups.get(workloadOf(pod)) ?? []), pod]);
  return new Map([...groups].sort(([a], [b]) => compareText(a, b)));
}

function kindOf([pod]: readonly Pod[]): string {
  return pod?.owner?.kind ?? 'Pod';
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function sumOf(groups: readonly NodeGroup[], price: (group: NodeGroup) => number): number {
  return groups.reduce((sum, group) => sum + group.count * price(group), 0);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
