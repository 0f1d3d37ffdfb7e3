import { type Resources, smallest } from '../../../core/quantity/resources.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { SeenMachine } from '../../../ports/cloud-provider.ts';
import { ExpiringMap } from '../calls/expiring-map.ts';
import { hourMs } from '../context.ts';

const memoryMs = 60 * 24 * hourMs;

/**
 * What machines really have, as their Nodes reported it. Memory, by type and image: firmware and
 * kernel decide, and no API tells. And the room for pods, by the class as it was, too: an image or
 * somebody's own user data may keep more for itself than is known, and a machine that turned out
 * too small must not be bought again and again. Machines of a type differ a little, so the least
 * counts. Nothing is stored: the Nodes that are there tell it again after a restart.
 */
export class LearnedMachines {
  readonly #memory: ExpiringMap<string, number>;
  readonly #rooms: ExpiringMap<string, Resources>;

  constructor(clock: Clock) {
    this.#memory = new ExpiringMap(clock, memoryMs);
    this.#rooms = new ExpiringMap(clock, memoryMs);
  }

  /** Safe to repeat; what is more than known changes nothing. */
  note({ instanceType, imageId, memoryBytes, room }: SeenMachine): void {
    this.#noteMemory(keyOf(instanceType, imageId), memoryBytes);
    if (room !== undefined)
      this.#noteRoom(keyOf(instanceType, imageId, room.classHash), room.amounts);
  }

  /** Bytes; undefined while no Node of this type with this image has been seen. */
  memoryOf(instanceType: string, imageId: string): number | undefined {
    return this.#memory.get(keyOf(instanceType, imageId));
  }

  /** The least that such machines leave to pods; undefined while none has been seen. */
  roomOf(instanceType: string, imageId: string, classHash: string): Resources | undefined {
    return this.#rooms.get(keyOf(instanceType, imageId, classHash));
  }

  /** A text that changes with every amount that counts for machines of the class. */
  versionFor(classHash: string): string {
    const hasRooms = [...this.#rooms.keys()].some((key) => key.endsWith(`/${classHash}`));
    return `${this.#memory.version()}/${hasRooms ? `${classHash} ${this.#rooms.version()}` : ''}`;
  }

  #noteMemory(key: string, memoryBytes: number): void {
    if (!(memoryBytes > 0)) return;
    const known = this.#memory.get(key);
    if (known !== undefined && memoryBytes > known) return;
    // Taken out first, so that the version tells of another amount.
    if (memoryBytes !== known) this.#memory.delete(key);
    this.#memory.set(key, memoryBytes);
  }

  #noteRoom(key: string, amounts: Resources): void {
    // A kubelet that does not know its machine yet reports none, which must not count as the least.
    const room = Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0));
    const known = this.#rooms.get(key);
    const least = known === undefined ? room : { ...known, ...room, ...smallest(known, room) };
    const isNews = Object.entries(least).some(([name, amount]) => known?.[name] !== amount);
    if (isNews) this.#rooms.delete(key);
    this.#rooms.set(key, least);
  }
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('/');
}
