import { namespaces, nodes, pods } from '../../../api/kubernetes/core.ts';
import { volumeClaims, volumes } from '../../../api/kubernetes/volume.ts';
import { keyOf } from '../../../api/resource.ts';
import type { Stage } from '../stage.ts';
import { ClusterState } from './cluster-state.ts';
import { Scheduler } from './scheduler.ts';
import { volumeDemands } from './volume-demands.ts';

/** Changes within this time are one round, so that a burst of pods is sorted by urgency first. */
const settleMs = 10;

/** Plays kube-scheduler on the stage until its signal is aborted. */
export function runScheduler(stage: Stage): Promise<void> {
  const podInformer = stage.informer(pods);
  const nodeInformer = stage.informer(nodes);
  const namespaceInformer = stage.informer(namespaces);
  const claimInformer = stage.informer(volumeClaims);
  const volumeInformer = stage.informer(volumes);
  const cluster = new ClusterState({
    namespaceLabels: (name) => namespaceInformer.get(name)?.metadata.labels ?? {},
    volumeDemands: (pod) => volumeDemands(pod, claimInformer, volumeInformer),
  });
  const scheduler = new Scheduler(stage, cluster);
  const loop = stage.loop('scheduler', (_, signal) => scheduler.round(signal), 1);
  const trigger = (): void => loop.enqueueAfter('round', settleMs);

  podInformer.onChange(({ type, object }) => {
    const generation = cluster.generation;
    if (type === 'deleted') scheduler.forget(keyOf(object));
    else if (scheduler.observe(object)) trigger();
    if (cluster.generation !== generation) trigger();
  });
  nodeInformer.onChange(({ type, object }) => {
    const generation = cluster.generation;
    if (type === 'deleted') cluster.removeNode(object.metadata.name);
    else cluster.setNode(object);
    if (cluster.generation !== generation) trigger();
  });
  // A label, a binding or a zone may be what a pod has waited for; rare enough to ask all again.
  for (const informer of [namespaceInformer, claimInformer, volumeInformer]) {
    informer.onChange(() => {
      cluster.invalidate();
      trigger();
    });
  }
  return loop.done;
}
