import { integerBelow, type Random } from '../../../ports/random.ts';
import type { Machine, MachineListener, MachineRoom } from '../../machines/machine.ts';
import type { CloudTime } from '../cloud-time.ts';
import type { EventBridge } from '../event-bridge.ts';
import type { NetworkFacts } from '../instance-type-facts.ts';
import type { Ledger } from '../market/ledger.ts';
import type { Offer } from '../market/offer.ts';
import { type AddressBook, privateDnsName } from './address-book.ts';
import { type Instance, isUsingCapacity, type LaunchOrder } from './instance.ts';
import { dataVolumeGiB, makeInterfaces, makeVolumes, newId } from './instance-parts.ts';
import type { TagStore } from './tag-store.ts';

export type ReclaimOutcome = 'reclaiming' | 'not-found' | 'not-spot' | 'already-leaving';

type Living = { -readonly [field in keyof Instance]: Instance[field] } & {
  hasBooted: boolean;
  readonly cancels: (() => void)[];
};

interface InstanceRoomParts {
  readonly time: CloudTime;
  readonly random: Random;
  readonly region: string;
  readonly addresses: AddressBook;
  readonly tags: TagStore;
  readonly ledger: Ledger;
  readonly events: EventBridge;
}

/** EC2 keeps terminated machines visible for about an hour. */
const rememberedSeconds = 3600;

/** Every instance and its way through life: pending, running, shutting-down, terminated, forgotten. */
export class InstanceRoom implements MachineRoom {
  readonly #parts: InstanceRoomParts;
  readonly #instances = new Map<string, Living>();
  readonly #listeners = new Set<MachineListener>();
  #launches = 0;

  constructor(parts: InstanceRoomParts) {
    this.#parts = parts;
  }

  /** Buys machines under one reservation. The caller has checked that each order can be met. */
  launch(orders: readonly LaunchOrder[]): readonly Instance[] {
    const reservationId = newId(this.#parts.random, 'r');
    return orders.map((order, launchIndex) => this.#launchOne(order, reservationId, launchIndex));
  }

  get(id: string): Instance | undefined {
    this.#forget();
    return this.#instances.get(id);
  }

  /** All that are not forgotten, in the order in which they were launched. */
  all(): readonly Instance[] {
    this.#forget();
    return [...this.#instances.values()];
  }

  vcpusInUse(option: Offer['capacityType']): number {
    return this.all()
      .filter((instance) => instance.order.capacityType === option && isUsingCapacity(instance))
      .reduce((sum, instance) => sum + instance.order.type.vcpus, 0);
  }

  /** Starts the end of a machine; without effect on one that is already leaving. */
  terminate(id: string): void {
    const instance = this.#instances.get(id);
    if (instance === undefined || !isUsingCapacity(instance)) return;
    this.#shutDown(instance, 'owner');
  }

  /** Warns the owner of a spot machine and takes it back after the notice. */
  reclaim(
    id: string,
    notice: { readonly noticeSeconds: number; readonly isRebalanceAnnounced: boolean },
  ): ReclaimOutcome {
    const instance = this.#instances.get(id);
    if (instance === undefined) return 'not-found';
    if (instance.order.capacityType !== 'spot') return 'not-spot';
    if (!isUsingCapacity(instance)) return 'already-leaving';
    if (instance.isMarked) return 'reclaiming';
    instance.isMarked = true;
    if (notice.isRebalanceAnnounced) this.#parts.events.rebalanceRecommended(id);
    this.#parts.events.spotInterruption(id);
    this.#after(instance, notice.noticeSeconds, () => this.#shutDown(instance, 'aws'));
    return 'reclaiming';
  }

  running(): readonly Machine[] {
    return [...this.#instances.values()]
      .filter((instance) => instance.hasBooted && isUsingCapacity(instance))
      .map((instance) => this.#machineOf(instance));
  }

  subscribe(listener: MachineListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #launchOne(order: LaunchOrder, reservationId: string, launchIndex: number): Instance {
    const { random, addresses, region } = this.#parts;
    const interfaces = makeInterfaces(random, order.specification, () =>
      addresses.take(order.subnet),
    );
    const privateIp = interfaces.find((entry) => entry.privateIp !== undefined)?.privateIp ?? '';
    const instance: Living = {
      id: newId(random, 'i'),
      sequence: this.#launches++,
      reservationId,
      launchIndex,
      order,
      launchedAtMs: this.#parts.time.nowMs(),
      spotRequestId: order.capacityType === 'spot' ? newId(random, 'sir') : undefined,
      privateIp,
      privateDnsName: privateDnsName(privateIp, region),
      volumes: makeVolumes(random, order),
      interfaces,
      state: 'pending',
      isMarked: false,
      stateReason: { code: 'pending', message: 'pending' },
      stoppedAtMs: undefined,
      terminatedAtMs: undefined,
      hasBooted: false,
      cancels: [],
    };
    this.#instances.set(instance.id, instance);
    this.#tag(instance);
    this.#parts.events.stateChanged(instance.id, 'pending');
    this.#after(instance, this.#between(3, 6), () => this.#run(instance));
    this.#after(instance, this.#between(38, 52), () => this.#boot(instance));
    return instance;
  }

  #tag(instance: Instance): void {
    const { tags } = this.#parts;
    const wished = instance.order.tags;
    tags.put(instance.id, wished.instance ?? {});
    for (const volume of instance.volumes) tags.put(volume.id, wished.volume ?? {});
    for (const entry of instance.interfaces) tags.put(entry.id, wished['network-interface'] ?? {});
    if (instance.spotRequestId !== undefined) {
      tags.put(instance.spotRequestId, wished['spot-instances-request'] ?? {});
    }
  }

  #run(instance: Living): void {
    instance.state = 'running';
    instance.stateReason = undefined;
    const isKarpenters = 'karpenter.sh/nodepool' in (instance.order.tags.instance ?? {});
    this.#parts.ledger.open(instance.id, offerOf(instance), isKarpenters ? 'karpenter' : 'account');
    this.#parts.events.stateChanged(instance.id, 'running');
  }

  #boot(instance: Living): void {
    instance.hasBooted = true;
    const machine = this.#machineOf(instance);
    for (const listener of [...this.#listeners]) listener.onStarted(machine);
  }

  #shutDown(instance: Living, by: 'owner' | 'aws'): void {
    for (const cancel of instance.cancels.splice(0)) cancel();
    instance.state = 'shutting-down';
    instance.stoppedAtMs = this.#parts.time.nowMs();
    instance.stateReason = by === 'aws' ? takenBack : shutDownByOwner;
    this.#parts.ledger.close(instance.id, by);
    this.#parts.events.stateChanged(instance.id, 'shutting-down');
    if (instance.hasBooted) {
      for (const listener of [...this.#listeners]) listener.onStopped(instance.id);
    }
    this.#after(instance, this.#between(8, 16), () => this.#end(instance));
  }

  #end(instance: Living): void {
    instance.state = 'terminated';
    instance.terminatedAtMs = this.#parts.time.nowMs();
    for (const { privateIp } of instance.interfaces) {
      if (privateIp !== undefined) this.#parts.addresses.release(instance.order.subnet, privateIp);
    }
    for (const volume of instance.volumes) this.#parts.tags.forget(volume.id);
    for (const entry of instance.interfaces) this.#parts.tags.forget(entry.id);
    this.#parts.events.stateChanged(instance.id, 'terminated');
  }

  // By looking and not by timer: an hour of waiting would hold up whoever drives a virtual clock.
  #forget(): void {
    const { time, tags } = this.#parts;
    const nowMs = time.nowMs();
    for (const instance of this.#instances.values()) {
      if (instance.terminatedAtMs === undefined) continue;
      if (time.secondsBetween(instance.terminatedAtMs, nowMs) < rememberedSeconds) continue;
      this.#instances.delete(instance.id);
      tags.forget(instance.id);
      if (instance.spotRequestId !== undefined) tags.forget(instance.spotRequestId);
    }
  }

  #after(instance: Living, simulatedSeconds: number, step: () => void): void {
    instance.cancels.push(this.#parts.time.after(simulatedSeconds, step));
  }

  /** Seconds in tenths, so that timers of the same moment stay in the order they were set. */
  #between(low: number, high: number): number {
    return low + integerBelow(this.#parts.random, (high - low) * 10 + 1) / 10;
  }

  #machineOf(instance: Instance): Machine {
    const { order } = instance;
    return {
      instanceId: instance.id,
      instanceType: order.type.name,
      imageId: order.image.id,
      region: this.#parts.region,
      zone: order.subnet.zone.name,
      zoneId: order.subnet.zone.id,
      privateIp: instance.privateIp,
      privateDnsName: instance.privateDnsName,
      arch: order.image.architecture === 'arm64' ? 'arm64' : 'amd64',
      cpuCount: order.type.vcpus,
      memoryMiB: order.type.memoryMiB,
      rootVolumeGiB: dataVolumeGiB(instance),
      nvidiaGpuCount: order.type.gpus
        .filter((gpu) => gpu.manufacturer === 'NVIDIA')
        .reduce((sum, gpu) => sum + gpu.logicalCount, 0),
      podsByNetwork: podsByNetwork(order.type.network),
      userData: order.specification.userData,
    };
  }
}

/** One address of each interface is its own; two pods use the machine's network. */
function podsByNetwork({ cards, defaultCardIndex, ...network }: NetworkFacts): number {
  const interfaces = cards[defaultCardIndex]?.maximumInterfaces ?? network.maximumInterfaces;
  return interfaces * (network.ipv4PerInterface - 1) + 2;
}

const shutDownByOwner = {
  code: 'Client.UserInitiatedShutdown',
  message: 'Client.UserInitiatedShutdown: User initiated shutdown',
};

const takenBack = {
  code: 'Server.SpotInstanceTermination',
  message: 'Server.SpotInstanceTermination: Instance terminated by spot interruption',
};

/** The pool that a machine came from. */
function offerOf(instance: Instance): Offer {
  return {
    instanceType: instance.order.type.name,
    zone: instance.order.subnet.zone.name,
    capacityType: instance.order.capacityType,
  };
}
