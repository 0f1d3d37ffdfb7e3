import { type NodeClaim, nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import { type NodeObject, nodes, type PodObject, pods } from '../../src/api/kubernetes/core.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { KubeClient } from '../../src/ports/kube.ts';
import type { Log } from '../../src/ports/log.ts';
import { createInformer, type Informer } from '../../src/runtime/informer.ts';

/** What the API server says that there is, as anybody may watch it. */
export class ClusterCensus {
  readonly #pods: Informer<PodObject>;
  readonly #nodes: Informer<NodeObject>;
  readonly #claims: Informer<NodeClaim>;

  constructor(
    { kube: client, clock, log }: { kube: KubeClient; clock: Clock; log: Log },
    signal: AbortSignal,
  ) {
    this.#pods = createInformer({ client, resource: pods, clock, log });
    this.#nodes = createInformer({ client, resource: nodes, clock, log });
    this.#claims = createInformer({ client, resource: nodeClaims, clock, log });
    this.#pods.start(signal);
    this.#nodes.start(signal);
  }

  /** From here on claims are known; their definition must have been installed. */
  followClaims(signal: AbortSignal): void {
    this.#claims.start(signal);
  }

  workloadPods(): readonly PodObject[] {
    return this.#pods.list().filter((pod) => pod.metadata.namespace === 'default');
  }

  runningPods(): number {
    return this.workloadPods().filter(isRunning).length;
  }

  nodes(): readonly NodeObject[] {
    return this.#nodes
      .list()
      .filter((node) => node.metadata.labels?.['karpenter.sh/nodepool'] !== undefined);
  }

  claims(): readonly NodeClaim[] {
    return this.#claims.list();
  }
}

function isRunning(pod: PodObject): boolean {
  return pod.status?.phase === 'Running' && pod.metadata.deletionTimestamp === undefined;
}
