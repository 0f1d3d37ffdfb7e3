import { type PodObject, pods } from '../../api/kubernetes/core.ts';
import type { KubeObject } from '../../api/resource.ts';
import type { Informer } from '../../runtime/informer.ts';
import { controllerOf } from './controller-reference.ts';
import type { Stage } from './stage.ts';

/** Pods change in crowds; their keepers wait this long and look at the whole crowd once. */
export const podSettleMs = 50;

/** The shared pods, with the ways in which actors look them up. */
export interface PodIndex {
  readonly informer: Informer<PodObject>;
  ownedBy(owner: KubeObject): readonly PodObject[];
  /** Pods of the namespace that nobody manages. */
  orphans(namespace: string): readonly PodObject[];
  inNamespace(namespace: string): readonly PodObject[];
  onNode(nodeName: string): readonly PodObject[];
}

/** To be asked for before the stage opens; asking again gives an equal view. */
export function podIndex(stage: Stage): PodIndex {
  const informer = stage.informer(pods);
  informer.addIndex('owner', (pod) => optional(controllerOf(pod)?.uid));
  informer.addIndex('orphan', (pod) =>
    controllerOf(pod) === undefined ? optional(pod.metadata.namespace) : [],
  );
  informer.addIndex('namespace', (pod) => optional(pod.metadata.namespace));
  informer.addIndex('node', (pod) => optional(pod.spec.nodeName));
  return {
    informer,
    ownedBy: (owner) => informer.by('owner', owner.metadata.uid ?? ''),
    orphans: (namespace) => informer.by('orphan', namespace),
    inNamespace: (namespace) => informer.by('namespace', namespace),
    onNode: (nodeName) => informer.by('node', nodeName),
  };
}

function optional(value: string | undefined): readonly string[] {
  return value ? [value] : [];
}
