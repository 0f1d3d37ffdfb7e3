import type { CapacityType } from '../../../core/catalog/instance-type.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import { ExpiringMap } from '../calls/expiring-map.ts';
import { quotaOf } from '../calls/quota.ts';
import { minuteMs } from '../context.ts';

const memoryMs = 3 * minuteMs;

/**
 * What EC2 said it had none of, and why, for three minutes after it last said so. Marking again
 * extends the time. `version` changes with every change, expiry included.
 */
export class UnavailableOfferings {
  readonly #offerings: ExpiringMap<string, string>;
  readonly #capacityTypes: ExpiringMap<CapacityType, string>;
  /** By quota: the smallest machine, in CPU, that exceeded it. */
  readonly #quotas: ExpiringMap<string, number>;
  readonly #log: Log | undefined;

  constructor(clock: Clock, log?: Log) {
    this.#offerings = new ExpiringMap(clock, memoryMs);
    this.#capacityTypes = new ExpiringMap(clock, memoryMs);
    this.#quotas = new ExpiringMap(clock, memoryMs);
    this.#log = log;
  }

  /** With a placement group, only launches into that group are known to fail. */
  mark(offering: OfferingKey & Placed, reason: string = outOfStock): void {
    const key = keyOf(offering);
    if (!this.#offerings.has(key)) this.#tell({ ...offering, reason });
    this.#offerings.set(key, reason);
  }

  markCapacityType(capacityType: CapacityType, reason: string = outOfStock): void {
    if (!this.#capacityTypes.has(capacityType)) this.#tell({ capacityType, reason });
    this.#capacityTypes.set(capacityType, reason);
  }

  /**
   * A quota counts the vCPUs of all machines of a kind in all zones: what is as large as the one
   * that exceeded it, or larger, would exceed it too. Asking for each would take hundreds of calls.
   */
  markOverQuota(machine: Omit<SizedOffering, 'zone'>): void {
    const quota = quotaOf(machine);
    const smallest = this.#quotas.get(quota) ?? Infinity;
    // Taken out first, so that the version tells of a smaller one.
    if (machine.cpuMillis < smallest) {
      this.#quotas.delete(quota);
      this.#tell({ ...machine, reason: `quota ${quota}` });
    }
    this.#quotas.set(quota, Math.min(smallest, machine.cpuMillis));
  }

  has(offering: SizedOffering & Placed): boolean {
    return this.reasonFor(offering) !== undefined;
  }

  /** EC2's code, or the quota that is used up; undefined for what is believed to be there. */
  reasonFor(offering: SizedOffering & Placed): string | undefined {
    const { placementGroupId: _, ...anywhere } = offering;
    return (
      this.#offerings.get(keyOf(anywhere)) ??
      this.#offerings.get(keyOf(offering)) ??
      this.#capacityTypes.get(offering.capacityType) ??
      this.#quotaReason(offering)
    );
  }

  /** Forgets offerings of the capacity type that were marked so long ago, though their time is not over. */
  forget(capacityType: CapacityType, ageMs: number): void {
    this.#offerings.forgetOld(ageMs, (key) => key.startsWith(`${capacityType}:`));
  }

  version(): number {
    return this.#offerings.version() + this.#capacityTypes.version() + this.#quotas.version();
  }

  #quotaReason(offering: SizedOffering): string | undefined {
    const quota = quotaOf(offering);
    const smallest = this.#quotas.get(quota) ?? Infinity;
    return offering.cpuMillis >= smallest ? `quota ${quota}` : undefined;
  }

  #tell(what: Readonly<Record<string, unknown>>): void {
    this.#log?.info('an offering is unavailable for a while', { ...what, forMs: memoryMs });
  }
}

const outOfStock = 'InsufficientInstanceCapacity';

export interface OfferingKey {
  readonly capacityType: CapacityType;
  readonly instanceType: string;
  readonly zone: string;
}

/** Where machines are kept close or apart, capacity is that of the group. */
interface Placed {
  readonly placementGroupId?: string | undefined;
}

interface SizedOffering extends OfferingKey {
  readonly cpuMillis: number;
}

function keyOf({
  capacityType,
  instanceType,
  zone,
  placementGroupId,
}: OfferingKey & Placed): string {
  const group = placementGroupId === undefined ? '' : `:${placementGroupId}`;
  return `${capacityType}:${instanceType}:${zone}${group}`;
}
