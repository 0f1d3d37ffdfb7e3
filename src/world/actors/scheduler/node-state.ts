import type { NodeObject } from '../../../api/kubernetes/core.ts';
import type { Resources } from '../../../core/quantity/resources.ts';
import type { PeerGroup, SchedulingPod } from './placed-pod.ts';
import { amounts } from './pod-requests.ts';

/** One node and what is on it, with sums kept up to date as pods come and go. */
export class NodeState {
  readonly name: string;
  node: NodeObject;
  allocatable: Resources;
  readonly requested: Record<string, number> = {};
  readonly pods = new Map<string, SchedulingPod>();
  /** How many pods of each peer group are here. */
  readonly peerCounts = new Map<string, { readonly group: PeerGroup; count: number }>();

  constructor(node: NodeObject) {
    this.name = node.metadata.name;
    this.node = node;
    this.allocatable = amounts(node.status?.allocatable);
  }

  get labels(): Readonly<Record<string, string>> {
    return this.node.metadata.labels ?? {};
  }

  replace(node: NodeObject): void {
    this.node = node;
    this.allocatable = amounts(node.status?.allocatable);
  }

  add(pod: SchedulingPod): void {
    this.pods.set(pod.key, pod);
    for (const [name, amount] of Object.entries(pod.requests)) {
      this.requested[name] = (this.requested[name] ?? 0) + amount;
    }
    const peers = this.peerCounts.get(pod.peers.id);
    if (peers === undefined) this.peerCounts.set(pod.peers.id, { group: pod.peers, count: 1 });
    else peers.count++;
  }

  remove(pod: SchedulingPod): void {
    if (!this.pods.delete(pod.key)) return;
    for (const [name, amount] of Object.entries(pod.requests)) {
      this.requested[name] = (this.requested[name] ?? 0) - amount;
    }
    const peers = this.peerCounts.get(pod.peers.id);
    if (peers === undefined) return;
    peers.count--;
    if (peers.count === 0) this.peerCounts.delete(pod.peers.id);
  }
}
