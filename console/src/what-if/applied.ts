import { templatePath } from '../../../src/api/manifest/workload.ts';
import type { ObjectMeta } from '../../../src/api/resource.ts';
import { mapAt } from '../../../src/api/value.ts';
import type { Pod } from '../../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../../src/core/cluster/snapshot.ts';
import { shortList } from '../../../src/core/explain/words.ts';
import type { Question } from '../../../src/server/question.ts';
import type { Change } from './change.ts';
import { PodMaker, podSpecOf } from './make-pods.ts';
import { notesOf } from './notes.ts';
import { titleOf, type Written } from './read-object.ts';
import type { ReadText } from './read-text.ts';
import { successionOf } from './succession.ts';
import { daemonNotes, missingNamespaces, withSurroundings } from './surroundings.ts';

/** The cluster after the objects were applied, and after every rollout that they begin. */
export function applied(question: Question, { written: given, others }: ReadText): Change {
  const maker = new PodMaker(question);
  const written = given.filter((object) => !isMade(object));
  const workloads = written.filter(makesPods);
  const here = podsOf(question, workloads);
  const comers: Pod[] = [];
  const replaced = new Set<Pod>();
  const notes: string[] = [];
  for (const workload of workloads) {
    notes.push(...notesOf(workload, maker));
    if (waitsForOthers(workload)) continue;
    const known = here.get(titleOf(workload)) ?? [];
    const { news, old, note } = successionOf(workload, known, maker);
    comers.push(...news);
    for (const pod of old) replaced.add(pod);
    if (note !== undefined) notes.push(note);
  }
  const surroundings = withSurroundings(question.snapshot, written);
  return {
    snapshot: withoutPods(surroundings, replaced),
    waiting: question.pods.filter((pod) => !replaced.has(pod)),
    comers,
    notes: [
      ...notes,
      ...daemonNotes(written),
      ...missingNamespaces(surroundings, comers),
      ...leftOut(others),
      ...madeByOthers(given.filter(isMade)),
    ],
  };
}

/** Whether a workload makes it, and so decides its pods: `kubectl get all` tells of both. */
function isMade({ object }: Written): boolean {
  const { ownerReferences = [] } = mapAt(object, ['metadata']) as unknown as Partial<ObjectMeta>;
  return ownerReferences.some(
    ({ kind, controller }) => controller === true && templatePath(kind) !== undefined,
  );
}

function madeByOthers(made: readonly Written[]): readonly string[] {
  if (made.length === 0) return [];
  return [`Left out, as its workload makes it: ${shortList(made.map(titleOf), 5)}.`];
}

function makesPods({ kind }: Written): boolean {
  return kind !== 'Namespace' && kind !== 'DaemonSet';
}

/** Pods that somebody else must let go first, or has placed already. */
function waitsForOthers(workload: Written): boolean {
  const { nodeName, schedulingGates } = podSpecOf(workload);
  return (nodeName ?? '') !== '' || schedulingGates !== undefined;
}

/** The pods that workloads have in the cluster, under their titles; bare ones under their own. */
function podsOf(
  { snapshot, pods }: Question,
  workloads: readonly Written[],
): ReadonlyMap<string, readonly Pod[]> {
  const groups = new Map<string, Pod[]>(workloads.map((workload) => [titleOf(workload), []]));
  // Pods of a leaving node are among those that wait as well.
  const all = new Map(
    [...snapshot.nodes.flatMap((node) => node.pods), ...pods].map((pod) => [pod.uid, pod]),
  );
  for (const pod of all.values()) {
    const { kind, name } = pod.owner ?? { kind: 'Pod', name: pod.name };
    const group = groups.get(titleOf({ kind, name, namespace: pod.namespace }));
    if (!pod.isTerminal && !pod.isTerminating) group?.push(pod);
  }
  return groups;
}

function withoutPods(snapshot: Snapshot, gone: ReadonlySet<Pod>): Snapshot {
  if (gone.size === 0) return snapshot;
  const nodes = snapshot.nodes.map((node) =>
    node.pods.some((pod) => gone.has(pod))
      ? { ...node, pods: node.pods.filter((pod) => !gone.has(pod)) }
      : node,
  );
  return { ...snapshot, nodes };
}

/** Kinds that decide what can be bought. */
const ofKarpenter = /^(NodePool|EC2NodeClass|NodeOverlay|NodeClaim|CapacityBuffer) /;

function leftOut(others: readonly string[]): readonly string[] {
  const ours = others.filter((title) => ofKarpenter.test(title));
  const rest = others.filter((title) => !ofKarpenter.test(title));
  return [
    ...(ours.length > 0
      ? [`Left out, as pools are taken as they are: ${shortList(ours, 5)}.`]
      : []),
    ...(rest.length > 0
      ? [`Left out, as it brings no pods by itself: ${shortList(rest, 5)}.`]
      : []),
  ];
}
