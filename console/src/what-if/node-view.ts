import type { Pod } from '../../../src/core/cluster/pod.ts';
import type { NewNode } from '../../../src/core/scheduling/plan.ts';
import type { PodView, Share } from '../../../src/server/view.ts';
import type { NewNodeView } from './answer.ts';

/** A node that would be bought, to be drawn like one that is there. */
export function newNodeView(
  node: NewNode,
  at: { readonly number: number; readonly atMs: number },
  asked: ReadonlySet<string>,
): NewNodeView {
  const { cheapest, instanceTypes, requests } = node;
  const comers = node.pods.filter(({ uid }) => asked.has(uid));
  const others = node.pods.filter(({ uid }) => !asked.has(uid));
  const type = instanceTypes.find(({ name }) => name === cheapest.instanceType);
  const share = (resource: string): Share => ({
    requested: requests[resource] ?? 0,
    allocatable: type?.allocatable[resource] ?? 0,
  });
  return {
    name: `new node ${at.number}`,
    poolName: node.pool.name,
    stage: 'initialized',
    isReady: true,
    isLeaving: false,
    instanceType: cheapest.instanceType,
    zone: cheapest.zone,
    capacityType: cheapest.capacityType,
    usdPerHour: cheapest.priceUsdPerHour,
    createdAtMs: at.atMs,
    cpuMillis: share('cpu'),
    memoryBytes: share('memory'),
    podSlots: share('pods'),
    pods: [...daemonViews(node), ...[...others, ...comers].map(podView)],
    comers: comers.length,
  };
}

/** The node's daemons, of which the plan knows what they ask for together. */
function daemonViews({ pods, requests }: NewNode): readonly PodView[] {
  const amount = (requests.pods ?? 0) - pods.length;
  const share = (resource: string): number =>
    pods.reduce((left, pod) => left - (pod.requests[resource] ?? 0), requests[resource] ?? 0) /
    amount;
  return Array.from({ length: amount }, (_, index) => ({
    namespace: '',
    name: `daemon ${index + 1}`,
    cpuMillis: share('cpu'),
    memoryBytes: share('memory'),
    isDaemon: true,
    isTerminating: false,
  }));
}

export function podView(pod: Pod): PodView {
  return {
    namespace: pod.namespace,
    name: pod.name,
    ownerName: pod.owner?.name,
    cpuMillis: pod.requests.cpu ?? 0,
    memoryBytes: pod.requests.memory ?? 0,
    isDaemon: pod.isDaemon,
    isTerminating: pod.isTerminating,
  };
}
