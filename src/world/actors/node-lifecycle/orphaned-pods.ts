import { nodes, type PodObject, pods } from '../../../api/kubernetes/core.ts';
import { timestamp } from '../../../api/timestamp.ts';
import { isKubeError } from '../../../ports/kube.ts';
import { after, onChange, type Requeue } from '../../../runtime/reconcile.ts';
import { inParallel } from '../in-parallel.ts';
import { type PodIndex, podIndex } from '../pod-index.ts';
import { isTerminal } from '../pod-state.ts';
import type { Stage } from '../stage.ts';

/** A node that was deleted may come back under its name, so its pods are given this long. */
const quarantineMs = 40_000;

/** Removes pods of nodes that no longer exist: no kubelet will ever do it. Keys are node names. */
export function runOrphanedPods(stage: Stage): Promise<void> {
  const index = podIndex(stage);
  const informer = stage.informer(nodes);
  const missingSinceMs = new Map<string, number>();
  const loop = stage.loop('pod-garbage', (name) =>
    reconcile(stage, { index, missingSinceMs }, name),
  );
  informer.onChange(({ type, object }) => {
    const { name } = object.metadata;
    if (type === 'deleted') loop.enqueue(name);
    else missingSinceMs.delete(name);
  });
  index.informer.onChange(({ type, object }) => {
    const name = object.spec.nodeName;
    if (type !== 'deleted' && name && informer.get(name) === undefined) loop.enqueue(name);
  });
  return loop.done;
}

interface Search {
  readonly index: PodIndex;
  readonly missingSinceMs: Map<string, number>;
}

async function reconcile(stage: Stage, search: Search, nodeName: string): Promise<Requeue> {
  const { index, missingSinceMs } = search;
  const stranded = index.onNode(nodeName);
  if (stranded.length === 0 || stage.informer(nodes).get(nodeName) !== undefined) {
    missingSinceMs.delete(nodeName);
    return onChange;
  }
  const nowMs = stage.ports.clock.nowMs();
  const sinceMs = missingSinceMs.get(nodeName) ?? nowMs;
  missingSinceMs.set(nodeName, sinceMs);
  const leftMs = sinceMs + quarantineMs - nowMs;
  if (leftMs > 0) return after(leftMs);
  // Our copy may be behind; the API server has the last word before anything is destroyed.
  if ((await stage.ports.kube.get(nodes, { name: nodeName })) !== undefined)
    return after(quarantineMs);
  await inParallel(stranded, 16, (pod) => remove(stage, pod));
  return onChange;
}

async function remove(stage: Stage, pod: PodObject): Promise<void> {
  const { kube, clock } = stage.ports;
  const { name, namespace, uid } = pod.metadata;
  try {
    if (!isTerminal(pod)) {
      const type = 'DisruptionTarget';
      const target = {
        type,
        status: 'True',
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
        lastTransitionTime: timestamp(clock.nowMs()),
      };
      const others = (pod.status?.conditions ?? []).filter((entry) => entry.type !== type);
      const status = { phase: 'Failed', conditions: [...others, target] };
      const body = { metadata: { uid }, status };
      await kube.patch(pods, { name, namespace }, { type: 'merge', subresource: 'status', body });
    }
    await kube.delete(pods, { name, namespace }, { uid, gracePeriodSeconds: 0 });
  } catch (error) {
    if (!isKubeError(error, 'not-found', 'conflict')) throw error;
  }
}
