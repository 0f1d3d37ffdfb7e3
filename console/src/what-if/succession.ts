import { podsAsked } from '../../../src/api/manifest/workload.ts';
import type { Pod } from '../../../src/core/cluster/pod.ts';
import { count } from '../../../src/core/explain/words.ts';
import { compareText } from '../../../src/core/text-order.ts';
import { type PodMaker, versionLabel } from './make-pods.ts';
import { titleOf, type Written } from './read-object.ts';

/** What becomes of the pods that a workload has, once it is applied again. */
export interface Succession {
  readonly news: readonly Pod[];
  /** Pods that give way to new ones. */
  readonly old: readonly Pod[];
  readonly note?: string | undefined;
}

/**
 * Pods that are as the workload wants them stay, and only those that are missing are made. Where it
 * wants others, all are replaced: the answer is for when the rollout is over.
 */
export function successionOf(workload: Written, here: readonly Pod[], maker: PodMaker): Succession {
  const asked = podsAsked(workload.object);
  if (here.length === 0) return { news: made(workload, maker, { from: 0, to: asked }), old: [] };
  const title = titleOf(workload);
  if (isSettled(workload))
    return { news: [], old: [], note: `${title} is there already, and cannot be changed.` };
  const version = here[0]?.labels[versionLabel] ?? newVersion;
  const model = maker.make(workload, 0, version);
  const isAsWanted = here.every((pod) => isAlike(pod, model));
  // A ReplicaSet only counts its pods, whatever they are made of.
  if (!isAsWanted && workload.kind !== 'ReplicaSet')
    return {
      news: made(workload, maker, { from: 0, to: asked }),
      old: here,
      note: `${title} has ${count(here.length, 'pod')} that would be replaced: this is how it is after the rollout. Until then there may be more at once.`,
    };
  const news = made(workload, maker, { from: here.length, to: asked, version });
  const has = `has ${count(here.length, isAsWanted ? 'such pod' : 'other pod')}`;
  return { news, old: [], note: noteOf(title, has, asked - here.length) };
}

const newVersion = 'new';

/** What runs to its end, or is a pod itself, keeps what it was made of. */
function isSettled({ kind }: Written): boolean {
  return kind === 'Pod' || kind === 'Job';
}

function made(
  workload: Written,
  maker: PodMaker,
  { from, to, version = newVersion }: { from: number; to: number; version?: string },
): readonly Pod[] {
  const numbers = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  return numbers.map((number) => maker.make(workload, number, version));
}

function noteOf(title: string, has: string, missing: number): string {
  if (missing === 0) return `${title} ${has} already.`;
  if (missing > 0) return `${title} ${has} already; ${missing} more would come.`;
  return `${title} would have ${count(-missing, 'pod')} fewer. Which ones go is not known here, so that all are still counted.`;
}

/** Whether nothing that decides where pods go tells the two apart. Volumes are not known here. */
function isAlike(a: Pod, b: Pod): boolean {
  return needsText(a) === needsText(b);
}

/** Labels by which a controller tells pods apart that it made of one template. */
const ofSomePods: ReadonlySet<string> = new Set([
  versionLabel,
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  'controller-revision-hash',
]);

function needsText(pod: Pod): string {
  const { requests, nodeAlternatives, nodePreferences, tolerations, hostPorts, priority } = pod;
  const { spread, affinity, antiAffinity, preferredAffinity, preferredAntiAffinity } = pod;
  const labels = Object.entries(pod.labels).filter(([key]) => !ofSomePods.has(key));
  const onNodes = [requests, nodeAlternatives, nodePreferences, tolerations, hostPorts, priority];
  const onPods = [spread, affinity, antiAffinity, preferredAffinity, preferredAntiAffinity];
  return JSON.stringify([...onNodes, ...onPods, new Map(labels)], inOrder);
}

/** Writes maps and sets by their order, since a server may have turned it around. */
function inOrder(_: string, value: unknown): unknown {
  if (value instanceof Set) return [...value].sort();
  if (value instanceof Map) return [...value].sort(byKey);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(byKey));
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareText(a, b);
}
