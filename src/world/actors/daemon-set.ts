import {
  type DaemonSetObject,
  daemonSets,
  type NodeObject,
  nodes,
  type PodObject,
} from '../../api/kubernetes/core.ts';
import { keyOf } from '../../api/resource.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import { canonical, shortHash } from './canonical-json.ts';
import { controllerOf } from './controller-reference.ts';
import { countOf } from './count-or-percentage.ts';
import { daemonSpec, eligibility, nodeOfDaemon } from './daemon-pod.ts';
import { createPods, deletePods, type Keeper } from './pod-care.ts';
import { type PodIndex, podIndex, podSettleMs } from './pod-index.ts';
import { byAge, isAvailable, isReady, isTerminal, isTerminating } from './pod-state.ts';
import { untilAvailable } from './replica-set.ts';
import type { Stage } from './stage.ts';
import { writeStatus } from './status-writer.ts';

const revisionLabel = 'controller-revision-hash';

/** Keeps one pod of each DaemonSet on every node that it is meant for. */
export function runDaemonSets(stage: Stage): Promise<void> {
  const index = podIndex(stage);
  const sets = stage.informer(daemonSets);
  const loop = stage.loop('daemonset', (key) => reconcile(stage, index, key));
  sets.onChange(({ object }) => loop.enqueue(keyOf(object)));
  stage.informer(nodes).onChange(({ object, previous }) => {
    if (previous !== undefined && previous !== object && isAlike(object, previous)) return;
    for (const set of sets.list()) loop.enqueueAfter(keyOf(set), podSettleMs);
  });
  index.informer.onChange(({ object: pod }) => {
    const owner = controllerOf(pod);
    if (owner?.kind === 'DaemonSet')
      loop.enqueueAfter(`${pod.metadata.namespace}/${owner.name}`, podSettleMs);
  });
  return loop.done;
}

/** Heartbeats change nothing for daemons. */
function isAlike(a: NodeObject, b: NodeObject): boolean {
  const relevant = (node: NodeObject): string =>
    canonical([node.metadata.labels, node.spec?.taints, node.metadata.uid]);
  return relevant(a) === relevant(b);
}

/** What is and what should be on one node. */
interface Post {
  readonly nodeName: string;
  readonly shouldRun: boolean;
  readonly mayStay: boolean;
  readonly pods: readonly PodObject[];
}

async function reconcile(stage: Stage, index: PodIndex, key: string): Promise<Requeue> {
  const set = stage.informer(daemonSets).get(key);
  if (set === undefined) return onChange;
  const revision = shortHash(set.spec.template);
  if (set.metadata.deletionTimestamp === undefined) {
    const posts = postsOf(stage, index, set);
    const keeper: Keeper = { resource: daemonSets, owner: set, component: 'daemonset-controller' };
    await deletePods(stage, keeper, doomedPods(stage, { set, posts, revision }));
    const missing = posts.filter((post) => post.shouldRun && post.pods.length === 0);
    await createPods(
      stage,
      { ...keeper, template: set.spec.template },
      missing.map(({ nodeName }) => ({
        labels: { [revisionLabel]: revision },
        spec: daemonSpec(set.spec.template.spec, nodeName),
      })),
    );
  }
  const posts = postsOf(stage, index, set);
  const status = { ...set.status, ...statusOf(stage, { set, posts, revision }) };
  await writeStatus(stage, { resource: daemonSets, object: set }, status);
  const daemons = posts.flatMap((post) => post.pods);
  return untilAvailable(stage, daemons, set.spec.minReadySeconds ?? 0);
}

function postsOf(stage: Stage, index: PodIndex, set: DaemonSetObject): readonly Post[] {
  const byNode = new Map<string, PodObject[]>();
  for (const pod of index.ownedBy(set)) {
    const nodeName = nodeOfDaemon(pod) ?? '';
    byNode.set(nodeName, [...(byNode.get(nodeName) ?? []), pod]);
  }
  return stage
    .informer(nodes)
    .list()
    .map((node) => {
      const nodeName = node.metadata.name;
      const pods = (byNode.get(nodeName) ?? []).sort(byAge);
      return { nodeName, ...eligibility(set.spec.template, node), pods };
    });
}

interface Assessment {
  readonly set: DaemonSetObject;
  readonly posts: readonly Post[];
  readonly revision: string;
}

/** Daemons in the wrong place, ended ones, doubles, and those whose turn in an update it is. */
function doomedPods(stage: Stage, assessment: Assessment): readonly PodObject[] {
  const doomed: PodObject[] = [];
  for (const post of assessment.posts) {
    const present = post.pods.filter((pod) => !isTerminating(pod));
    if (!post.mayStay) doomed.push(...present);
    else {
      const ended = present.filter(isTerminal);
      const running = present.filter((pod) => !isTerminal(pod));
      doomed.push(...ended, ...running.slice(1));
    }
  }
  return [...doomed, ...outdatedPods(stage, assessment, new Set(doomed))];
}

function outdatedPods(
  stage: Stage,
  { set, posts, revision }: Assessment,
  doomed: ReadonlySet<PodObject>,
): readonly PodObject[] {
  if (set.spec.updateStrategy?.type === 'OnDelete') return [];
  const wanted = posts.filter((post) => post.shouldRun);
  const limit = set.spec.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1;
  let allowed = Math.max(1, countOf(limit, wanted.length, 'up'));
  const nowMs = stage.ports.clock.nowMs();
  const outdated: PodObject[] = [];
  for (const post of wanted) {
    const [pod] = post.pods.filter((candidate) => !isTerminating(candidate));
    const isUp = pod !== undefined && isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
    if (!isUp) allowed--;
    if (pod === undefined || doomed.has(pod)) continue;
    if (pod.metadata.labels?.[revisionLabel] === revision) continue;
    // One that is down already costs nothing to replace.
    if (isUp) outdated.push(pod);
    else outdated.unshift(pod);
  }
  const down = outdated.filter(
    (pod) => !isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs),
  ).length;
  return outdated.slice(0, down + Math.max(0, allowed));
}

function statusOf(stage: Stage, { set, posts, revision }: Assessment): object {
  const nowMs = stage.ports.clock.nowMs();
  const minReady = set.spec.minReadySeconds ?? 0;
  const wanted = posts.filter((post) => post.shouldRun);
  const scheduled = wanted.flatMap((post) => post.pods.slice(0, 1));
  const available = scheduled.filter((pod) => isAvailable(pod, minReady, nowMs)).length;
  return {
    observedGeneration: set.metadata.generation ?? 0,
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: scheduled.length,
    numberMisscheduled: posts.filter((post) => !post.shouldRun && post.pods.length > 0).length,
    updatedNumberScheduled: scheduled.filter(
      (pod) => pod.metadata.labels?.[revisionLabel] === revision,
    ).length,
    numberReady: scheduled.filter(isReady).length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
  };
}
