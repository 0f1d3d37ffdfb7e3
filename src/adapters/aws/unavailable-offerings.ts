import type { CapacityType } from '../../core/catalog/instance-type.ts';
import type { Clock } from '../../ports/clock.ts';
import { minuteMs } from './context.ts';
import { ExpiringMap } from './expiring-map.ts';

const memoryMs = 3 * minuteMs;

/**
 * What EC2 said it had none of, for three minutes after it last said so. Marking again extends
 * the time. `version` changes with every change, expiry included.
 */
export class UnavailableOfferings {
  readonly #offerings: ExpiringMap<string, true>;
  readonly #capacityTypes: ExpiringMap<CapacityType, true>;

  constructor(clock: Clock) {
    this.#offerings = new ExpiringMap(clock, memoryMs);
    this.#capacityTypes = new ExpiringMap(clock, memoryMs);
  }

  mark(offering: OfferingKey): void {
    this.#offerings.set(keyOf(offering), true);
  }

  markCapacityType(capacityType: CapacityType): void {
    this.#capacityTypes.set(capacityType, true);
  }

  has(offering: OfferingKey): boolean {
    return this.#offerings.has(keyOf(offering)) || this.#capacityTypes.has(offering.capacityType);
  }

  version(): number {
    return this.#offerings.version() + this.#capacityTypes.version();
  }
}

interface OfferingKey {
  readonly capacityType: CapacityType;
  readonly instanceType: string;
  readonly zone: string;
}

function keyOf(offering: OfferingKey): string {
  return `${offering.capacityType}:${offering.instanceType}:${offering.zone}`;
}
