import { onTestFinished } from 'vitest';
import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { createVirtualClock } from '../../src/adapters/system/virtual-clock.ts';
import { type NodeObject, nodes, type PodObject, pods } from '../../src/api/kubernetes/core.ts';
import type { KubeObject, Resource } from '../../src/api/resource.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { HttpHandler } from '../../src/ports/http.ts';
import type { KubeClient } from '../../src/ports/kube.ts';
import type { Log } from '../../src/ports/log.ts';
import type { Random } from '../../src/ports/random.ts';
import { runActors } from '../../src/world/actors/run-actors.ts';
import { createKubeServer } from '../../src/world/kube/server.ts';
import { runCloudNodeController } from '../../src/world/machines/cloud-node-controller.ts';
import type { Machine, MachineListener, MachineRoom } from '../../src/world/machines/machine.ts';
import { runKubelets } from '../../src/world/machines/run-kubelets.ts';

interface DrivenClock extends Clock {
  runFor(ms: number): Promise<void>;
}

interface SmallWorldParts {
  readonly clock: DrivenClock;
  readonly random: Random;
  readonly client: (send: HttpHandler) => KubeClient;
}

/** An API server, all actors, and machines that a story switches on and off. */
export interface SmallWorld {
  readonly kube: KubeClient;
  readonly clock: DrivenClock;
  /** What was logged as an error; a calm story has none. */
  readonly errors: readonly string[];
  startMachine(wish?: MachineWish): Machine;
  stopMachine(machine: Machine): void;
  /** Waits for the work while time passes. */
  during<T>(work: Promise<T>): Promise<T>;
  create<T extends KubeObject>(resource: Resource<T>, object: object): Promise<T>;
  pods(): Promise<readonly PodObject[]>;
  nodes(): Promise<readonly NodeObject[]>;
  stop(): Promise<void>;
}

interface MachineWish {
  readonly zone?: string;
  readonly cpuCount?: number;
  readonly memoryMiB?: number;
  readonly labels?: string;
  readonly taints?: string;
  readonly maxPods?: number;
}

/** A world of the first seed on a clock of its own, stopped when the test has ended. */
export function aWorld(): SmallWorld {
  const clock = createVirtualClock();
  const rateLimit = { requestsPerSecond: 100_000, burst: 100_000 };
  const world = createSmallWorld({
    clock,
    random: createSeededRandom(1),
    client: (send) => createKubeClient({ send, clock, rateLimit }),
  });
  onTestFinished(() => world.stop());
  return world;
}

export function createSmallWorld({ clock, random, client }: SmallWorldParts): SmallWorld {
  const { handle } = createKubeServer({ clock, random });
  const kube = client(handle);
  const abort = new AbortController();
  const errors: string[] = [];
  const log = errorLog(errors);
  const room = new StoryMachines();
  const ports = { kube, clock, random, log };
  const running = [
    runActors(ports, abort.signal),
    runKubelets(
      { machines: room, connect: () => client(handle), clock, random, log },
      { speed: 1 },
      abort.signal,
    ),
    runCloudNodeController({ ...ports, machines: room }, abort.signal),
  ];
  const during = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const mark = (): void => {
      isDone = true;
    };
    work.then(mark, mark);
    for (let tries = 0; tries < 1_000 && !isDone; tries++) await clock.runFor(1);
    return work;
  };
  return {
    kube,
    clock,
    errors,
    startMachine: (wish = {}) => room.start(wish),
    stopMachine: (machine) => room.stop(machine),
    during,
    create: (resource, object) => during(kube.create(resource, object as never)),
    pods: async () => (await during(kube.list(pods))).items,
    nodes: async () => (await during(kube.list(nodes))).items,
    stop: async () => {
      abort.abort();
      await during(Promise.all(running));
    },
  };
}

class StoryMachines implements MachineRoom {
  readonly #machines = new Map<string, Machine>();
  readonly #listeners = new Set<MachineListener>();
  #count = 0;

  running(): readonly Machine[] {
    return [...this.#machines.values()];
  }

  subscribe(listener: MachineListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(wish: MachineWish): Machine {
    const number = ++this.#count;
    const { zone = 'us-east-1a' } = wish;
    const privateIp = `10.0.${number >> 8}.${number & 255}`;
    const machine: Machine = {
      instanceId: `i-${String(number).padStart(17, '0')}`,
      instanceType: 'm5.xlarge',
      imageId: 'ami-1',
      region: 'us-east-1',
      zone,
      zoneId: `use1-az${zone.charCodeAt(zone.length - 1) - 96}`,
      privateIp,
      privateDnsName: `ip-${privateIp.replaceAll('.', '-')}.us-east-1.compute.internal`,
      arch: 'amd64',
      cpuCount: wish.cpuCount ?? 4,
      memoryMiB: wish.memoryMiB ?? 16_384,
      rootVolumeGiB: 20,
      nvidiaGpuCount: 0,
      podsByNetwork: 58,
      userData: script(wish),
    };
    this.#machines.set(machine.instanceId, machine);
    for (const listener of this.#listeners) listener.onStarted(machine);
    return machine;
  }

  stop(machine: Machine): void {
    this.#machines.delete(machine.instanceId);
    for (const listener of this.#listeners) listener.onStopped(machine.instanceId);
  }
}

function script({ labels = '', taints = '', maxPods = 58 }: MachineWish): string {
  const flags = `--node-labels="${labels}" --register-with-taints="${taints}" --max-pods=${maxPods}`;
  return `#!/bin/bash\n/etc/eks/bootstrap.sh 'story' --apiserver-endpoint 'https://story' --kubelet-extra-args '${flags}'\n`;
}

function errorLog(errors: string[]): Log {
  const log: Log = {
    debug: () => {},
    info: () => {},
    error: (message, fields) => errors.push(`${message} ${fields?.error ?? ''}`),
    with: () => log,
  };
  return log;
}
