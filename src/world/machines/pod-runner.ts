import { type PodObject, pods } from '../../api/kubernetes/core.ts';
import { isKubeError } from '../../ports/kube.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import { drawMs, type Kubelet, stopMs } from './kubelet.ts';
import type { KubeletLink } from './kubelet-link.ts';
import { podEnd } from './pod-run.ts';
import { podStatus, startedAtOf } from './pod-status.ts';

/** What the kubelet remembers of a pod between two looks. */
interface Run {
  readonly podIp: string;
  /** When the images are there and the containers can start. */
  readonly startsAtMs: number;
  stopsAtMs?: number;
}

/** Runs bound pods on the machines of one link: creating, running, ended, stopped. */
export class PodRunner {
  readonly #link: KubeletLink;
  readonly #runs = new Map<string, Run>();
  #addresses = 0;

  constructor(link: KubeletLink) {
    this.#link = link;
  }

  forget(pod: PodObject): void {
    this.#runs.delete(pod.metadata.uid ?? '');
  }

  async reconcile(key: string): Promise<Requeue> {
    const pod = this.#link.pods.get(key);
    const kubelet = this.#link.kubeletOfNode(pod?.spec.nodeName ?? '');
    if (pod === undefined || kubelet?.nodeUid === undefined) return onChange;
    if (pod.metadata.deletionTimestamp !== undefined) return this.#stop(pod, kubelet);
    switch (pod.status?.phase) {
      case 'Succeeded':
      case 'Failed':
        return onChange;
      case 'Running':
        return this.#watchOver(pod, kubelet);
      default:
        return this.#start(pod, kubelet);
    }
  }

  async #start(pod: PodObject, kubelet: Kubelet): Promise<Requeue> {
    // Before the network is up only pods on the host's own can start.
    if (!kubelet.isReady && pod.spec.hostNetwork !== true) return onChange;
    const uid = pod.metadata.uid ?? '';
    const nowMs = this.#nowMs();
    const known = this.#runs.get(uid);
    if (known === undefined) {
      const run = this.#newRun(pod, kubelet, nowMs);
      this.#runs.set(uid, run);
      await this.#write(pod, kubelet, 'creating');
      return after(Math.max(1, run.startsAtMs - this.#nowMs()));
    }
    if (nowMs < known.startsAtMs) return after(known.startsAtMs - nowMs);
    await this.#write(pod, kubelet, 'running');
    const end = podEnd(pod);
    return end === undefined ? onChange : after(end.afterMs / this.#link.speed);
  }

  async #watchOver(pod: PodObject, kubelet: Kubelet): Promise<Requeue> {
    const end = podEnd(pod);
    if (end === undefined) return onChange;
    const startedMs = Date.parse(startedAtOf(pod) ?? '') || 0;
    const leftMs = startedMs + end.afterMs / this.#link.speed - this.#nowMs();
    if (leftMs > 0) return after(leftMs);
    await this.#write(pod, kubelet, 'ended');
    return onChange;
  }

  async #stop(pod: PodObject, kubelet: Kubelet): Promise<Requeue> {
    const uid = pod.metadata.uid ?? '';
    const nowMs = this.#nowMs();
    const run = this.#runs.get(uid) ?? this.#newRun(pod, kubelet, nowMs);
    this.#runs.set(uid, run);
    const hasEnded = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
    const grace = hasEnded ? 0 : (pod.metadata.deletionGracePeriodSeconds ?? 30);
    run.stopsAtMs = Math.min(run.stopsAtMs ?? Infinity, nowMs + stopMs(grace, this.#pace()));
    if (nowMs < run.stopsAtMs) return after(run.stopsAtMs - nowMs);
    // Whoever holds the pod by a finalizer must be able to read that it runs no more.
    const isHeld = (pod.metadata.finalizers?.length ?? 0) > 0;
    if (isHeld && !hasEnded) await this.#write(pod, kubelet, 'ended');
    if (pod.metadata.deletionGracePeriodSeconds !== 0) await this.#delete(pod);
    return onChange;
  }

  #newRun(pod: PodObject, kubelet: Kubelet, nowMs: number): Run {
    const podIp = pod.spec.hostNetwork === true ? kubelet.machine.privateIp : this.#nextAddress();
    return { podIp, startsAtMs: nowMs + drawMs('pull', this.#pace()) };
  }

  async #write(
    pod: PodObject,
    kubelet: Kubelet,
    step: 'creating' | 'running' | 'ended',
  ): Promise<void> {
    const { name, namespace, uid, deletionTimestamp } = pod.metadata;
    const end = deletionTimestamp === undefined ? podEnd(pod) : { afterMs: 0, exitCode: 143 };
    const podIp = pod.status?.podIP ?? this.#runs.get(uid ?? '')?.podIp ?? '';
    const hostIp = kubelet.machine.privateIp;
    const status = podStatus(step, { pod, hostIp, podIp, nowMs: this.#nowMs(), end });
    try {
      const patch = {
        type: 'strategic',
        subresource: 'status',
        body: { metadata: { uid }, status },
      } as const;
      this.#link.pods.apply(await this.#link.ports.kube.patch(pods, { name, namespace }, patch));
    } catch (error) {
      // Deleted meanwhile, or another pod of that name by now; the watch tells the rest.
      if (!isKubeError(error, 'not-found', 'conflict')) throw error;
    }
  }

  async #delete(pod: PodObject): Promise<void> {
    const { name, namespace, uid } = pod.metadata;
    try {
      await this.#link.ports.kube.delete(pods, { name, namespace }, { uid, gracePeriodSeconds: 0 });
    } catch (error) {
      if (!isKubeError(error, 'conflict')) throw error;
    }
  }

  /** Addresses of 100.64.0.0/10, which clusters use for pods beside the machines' own networks. */
  #nextAddress(): string {
    const number = (++this.#addresses % 2 ** 22) + 1;
    return [100, 64 + (number >> 16), (number >> 8) & 255, number & 255].join('.');
  }

  #pace() {
    return { random: this.#link.ports.random, speed: this.#link.speed };
  }

  #nowMs(): number {
    return this.#link.ports.clock.nowMs();
  }
}
