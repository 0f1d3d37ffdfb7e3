import type { Clock } from '../../../ports/clock.ts';
import type { SeenMachine } from '../../../ports/cloud-provider.ts';
import { ExpiringMap } from '../calls/expiring-map.ts';
import { hourMs } from '../context.ts';

const memoryMs = 60 * 24 * hourMs;

/**
 * How much memory machines really have, by type and image, as their Nodes reported it: firmware
 * and kernel decide, and no API tells. Machines of a type differ a little, so the least counts.
 * Nothing is stored: the Nodes that are there tell it again after a restart.
 */
export class LearnedMemory {
  readonly #seen: ExpiringMap<string, number>;

  constructor(clock: Clock) {
    this.#seen = new ExpiringMap(clock, memoryMs);
  }

  /** Safe to repeat; what is more than known changes nothing. */
  note({ instanceType, imageId, memoryBytes }: SeenMachine): void {
    if (!(memoryBytes > 0)) return;
    const key = keyOf(instanceType, imageId);
    const known = this.#seen.get(key);
    if (known !== undefined && memoryBytes > known) return;
    // Taken out first, so that the version tells of another amount.
    if (memoryBytes !== known) this.#seen.delete(key);
    this.#seen.set(key, memoryBytes);
  }

  /** Bytes; undefined while no Node of this type with this image has been seen. */
  of(instanceType: string, imageId: string): number | undefined {
    return this.#seen.get(keyOf(instanceType, imageId));
  }

  /** Grows with every amount that changes. */
  version(): number {
    return this.#seen.version();
  }
}

function keyOf(instanceType: string, imageId: string): string {
  return `${instanceType}/${imageId}`;
}
