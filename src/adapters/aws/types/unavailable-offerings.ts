import type { CapacityType } from '../../../core/catalog/instance-type.ts';
import type { Clock } from '../../../ports/clock.ts';
import { ExpiringMap } from '../calls/expiring-map.ts';
import { quotaOf } from '../calls/quota.ts';
import { minuteMs } from '../context.ts';

const memoryMs = 3 * minuteMs;

/**
 * What EC2 said it had none of, for three minutes after it last said so. Marking again extends
 * the time. `version` changes with every change, expiry included.
 */
export class UnavailableOfferings {
  readonly #offerings: ExpiringMap<string, true>;
  readonly #capacityTypes: ExpiringMap<CapacityType, true>;
  /** By quota: the smallest machine, in CPU, that exceeded it. */
  readonly #quotas: ExpiringMap<string, number>;

  constructor(clock: Clock) {
    this.#offerings = new ExpiringMap(clock, memoryMs);
    this.#capacityTypes = new ExpiringMap(clock, memoryMs);
    this.#quotas = new ExpiringMap(clock, memoryMs);
  }

  mark(offering: OfferingKey): void {
    this.#offerings.set(keyOf(offering), true);
  }

  markCapacityType(capacityType: CapacityType): void {
    this.#capacityTypes.set(capacityType, true);
  }

  /**
   * A quota counts the vCPUs of all machines of a kind in all zones: what is as large as the one
   * that exceeded it, or larger, would exceed it too. Asking for each would take hundreds of calls.
   */
  markOverQuota(machine: Omit<SizedOffering, 'zone'>): void {
    const quota = quotaOf(machine);
    const smallest = this.#quotas.get(quota) ?? Infinity;
    // Taken out first, so that the version tells of a smaller one.
    if (machine.cpuMillis < smallest) this.#quotas.delete(quota);
    this.#quotas.set(quota, Math.min(smallest, machine.cpuMillis));
  }

  has(offering: SizedOffering): boolean {
    return (
      this.#offerings.has(keyOf(offering)) ||
      this.#capacityTypes.has(offering.capacityType) ||
      offering.cpuMillis >= (this.#quotas.get(quotaOf(offering)) ?? Infinity)
    );
  }

  version(): number {
    return this.#offerings.version() + this.#capacityTypes.version() + this.#quotas.version();
  }
}

interface OfferingKey {
  readonly capacityType: CapacityType;
  readonly instanceType: string;
  readonly zone: string;
}

interface SizedOffering extends OfferingKey {
  readonly cpuMillis: number;
}

function keyOf(offering: OfferingKey): string {
  return `${offering.capacityType}:${offering.instanceType}:${offering.zone}`;
}
