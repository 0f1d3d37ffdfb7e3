import { type PodObject, pods } from '../../api/kubernetes/core.ts';
import { keyOf } from '../../api/resource.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KubeClient } from '../../ports/kube.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import { type ControllerHandle, runController } from '../../runtime/controller.ts';
import { createInformer, type Informer } from '../../runtime/informer.ts';
import type { Kubelet } from './kubelet.ts';
import { renewLease } from './lease-keeper.ts';
import { keepNode } from './node-keeper.ts';
import { PodRunner } from './pod-runner.ts';

interface LinkPorts {
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/**
 * All kubelets that talk to one API server. They share one watch of bound pods and three loops,
 * so that five hundred nodes cost little more than one.
 */
export class KubeletLink {
  readonly ports: LinkPorts;
  readonly speed: number;
  readonly pods: Informer<PodObject>;
  readonly done: Promise<void>;
  readonly #byInstance = new Map<string, Kubelet>();
  readonly #byNode = new Map<string, Kubelet>();
  readonly #nodeLoop: ControllerHandle;
  readonly #leaseLoop: ControllerHandle;
  readonly #podLoop: ControllerHandle;

  constructor(ports: LinkPorts, speed: number, signal: AbortSignal) {
    this.ports = ports;
    this.speed = speed;
    const { kube: client, clock, random, log } = ports;
    const fieldSelector = 'spec.nodeName!=';
    this.pods = createInformer({ client, resource: pods, clock, random, log, fieldSelector });
    this.pods.addIndex('node', (pod) => [pod.spec.nodeName ?? '']);
    const runner = new PodRunner(this);
    const base = { clock, log, maxBackoffMs: 10_000 };
    this.#nodeLoop = runController(
      { ...base, name: 'kubelet-node', reconcile: (id) => keepNode(this, id) },
      signal,
    );
    this.#leaseLoop = runController(
      { ...base, name: 'kubelet-lease', reconcile: (id) => renewLease(this, id) },
      signal,
    );
    this.#podLoop = runController(
      { ...base, name: 'kubelet-pod', concurrency: 32, reconcile: (key) => runner.reconcile(key) },
      signal,
    );
    this.pods.onChange(({ type, object }) => {
      if (type === 'deleted') runner.forget(object);
      else if (this.#byNode.has(object.spec.nodeName ?? '')) this.#podLoop.enqueue(keyOf(object));
    });
    this.pods.start(signal);
    const loops = [this.#nodeLoop, this.#leaseLoop, this.#podLoop];
    this.done = Promise.all(loops.map((loop) => loop.done)).then(() => undefined);
  }

  add(kubelet: Kubelet): void {
    const { instanceId } = kubelet.machine;
    this.#byInstance.set(instanceId, kubelet);
    this.#byNode.set(kubelet.nodeName, kubelet);
    this.#nodeLoop.enqueue(instanceId);
  }

  /** The machine is off: from now on nothing is heard of it. */
  remove(instanceId: string): void {
    const kubelet = this.#byInstance.get(instanceId);
    if (kubelet === undefined) return;
    this.#byInstance.delete(instanceId);
    // A new machine may have been given the same address, and with it the name.
    if (this.#byNode.get(kubelet.nodeName) === kubelet) this.#byNode.delete(kubelet.nodeName);
  }

  kubelet(instanceId: string): Kubelet | undefined {
    return this.#byInstance.get(instanceId);
  }

  kubeletOfNode(nodeName: string): Kubelet | undefined {
    return this.#byNode.get(nodeName);
  }

  /** The node is registered: its lease is kept from now on. */
  startLease(kubelet: Kubelet): void {
    this.#leaseLoop.enqueue(kubelet.machine.instanceId);
  }

  /** Looks at every pod of the node again, as its kubelet has come further. */
  wakePods(kubelet: Kubelet): void {
    for (const pod of this.pods.by('node', kubelet.nodeName)) this.#podLoop.enqueue(keyOf(pod));
  }
}
