import { decodePod } from '../../api/decode/pod.ts';
import type { PodObject } from '../../api/kubernetes/core.ts';
import { podsAsked } from '../../api/manifest/workload.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Decision } from '../../core/explain/decision.ts';
import type { NodeGroup } from '../../core/explain/node-groups.ts';
import { shortList, workloadOf } from '../../core/explain/words.ts';
import { compareText } from '../../core/text-order.ts';
import type { Observation } from '../../ports/observation.ts';
import { namespaceOf } from './apply.ts';
import type { Ignored, Manifest } from './manifests.ts';
import { groupsOf } from './purchases.ts';

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

interface ReportParts {
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
  const groups = byWorkload(pods);
  const nodes = groupsOf(parts, [...places.values()]);
  const usdPerHour = sumOf(nodes, (group) => group.usdPerHour);
  const usdPerHourAtMost = sumOf(nodes, (group) => group.usdPerHourAtMost);
  return {
    region: parts.region,
    nodes,
    workloads: workloadsOf(groups, places, parts),
    cost: {
      usdPerHour: rounded(usdPerHour, 6),
      usdPerMonth: rounded(usdPerHour * hoursPerMonth, 2),
      usdPerHourAtMost: rounded(usdPerHourAtMost, 6),
    },
    unplaced: unplacedOf(groups, places, parts),
    notes: [...parts.notes, ...shortfalls(groups, parts), ...clusterNotes(parts)],
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

function workloadsOf(
  groups: readonly PodGroup[],
  places: ReadonlyMap<string, string>,
  { claimOfNode }: ReportParts,
): readonly Workload[] {
  const claims = new Set(claimOfNode.values());
  return groups.map(({ kind, name, pods }) => {
    const taken = pods.flatMap(({ uid }) => places.get(uid) ?? []);
    const bought = taken.filter((place) => claims.has(place));
    return {
      ...{ kind, name, pods: pods.length, onNewNodes: bought.length },
      onOtherNodes: taken.length - bought.length,
      newNodes: new Set(bought).size,
    };
  });
}

/** Pods of one workload may be refused for different reasons: a limit that only some exceed. */
function unplacedOf(
  groups: readonly PodGroup[],
  places: ReadonlyMap<string, string>,
  { observation }: ReportParts,
): readonly UnplacedGroup[] {
  const refusals = new Map(observation.pending().map(({ pod, refusal }) => [pod.uid, refusal]));
  return groups.flatMap(({ kind, name, pods }) => {
    const reasons = new Map<string, UnplacedGroup>();
    for (const { uid } of pods.filter((pod) => !places.has(pod.uid))) {
      const { code, sentence, remedies = [] } = refusals.get(uid) ?? unheard;
      const before = reasons.get(sentence)?.pods ?? 0;
      const help = remedies.map((remedy) => remedy.sentence);
      reasons.set(sentence, { kind, name, pods: before + 1, code, sentence, remedies: help });
    }
    return [...reasons.values()];
  });
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
    `New nodes have room for the daemons that run on them: ${shortList(names, 5)}.`,
  ];
}

/** A StatefulSet whose first pod waits does not make the others. */
function shortfalls(groups: readonly PodGroup[], { workloads }: ReportParts): readonly string[] {
  return workloads.flatMap((manifest) => {
    const { kind, name } = manifest;
    const full = `${namespaceOf(manifest)}/${name}`;
    const made = groups.find((group) => group.kind === kind && group.name === full);
    const asked = podsAsked(manifest.object);
    const there = made?.pods.length ?? 0;
    if (there >= asked || name === '') return [];
    return [`${kind} ${full} has made ${there} of its ${asked} pods.`];
  });
}

interface PodGroup {
  readonly kind: string;
  readonly name: string;
  readonly pods: readonly Pod[];
}

/** The pods by workload, in the order of names. */
function byWorkload(pods: readonly Pod[]): readonly PodGroup[] {
  const groups = new Map<string, PodGroup & { readonly pods: Pod[] }>();
  for (const pod of pods) {
    const kind = pod.owner?.kind ?? 'Pod';
    const name = workloadOf(pod);
    const key = `${name} ${kind}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { kind, name, pods: [pod] });
    else group.pods.push(pod);
  }
  return [...groups].sort(([a], [b]) => compareText(a, b)).map(([, group]) => group);
}

function sumOf(groups: readonly NodeGroup[], price: (group: NodeGroup) => number): number {
  return groups.reduce((sum, group) => sum + group.count * price(group), 0);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
