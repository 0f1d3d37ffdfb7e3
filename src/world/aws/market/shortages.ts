import { anyMatch } from '../ec2/filter.ts';
import type { Offer, PurchaseOption } from './offer.ts';

/** Pools that have run out. Fields that are left out, and `*` inside names, stand for all. */
export interface Shortage {
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: PurchaseOption | '*';
  /** Machines that can still be had in each of those pools; 0 unless said. */
  readonly remaining?: number;
}

interface Held {
  readonly shortage: Shortage;
  readonly matches: (offer: Offer) => boolean;
  readonly taken: Map<string, number>;
}

/** What the account may use at most, in vCPUs; undefined is no limit. */
export type Quotas = { [option in PurchaseOption]?: number };

export class Shortages {
  readonly #held = new Map<string, Held>();

  /** Declares a shortage; the same pattern again replaces the earlier one. */
  set(shortage: Shortage): void {
    this.#held.set(keyOf(shortage), { shortage, matches: matcher(shortage), taken: new Map() });
  }

  /** Ends the shortage with that very pattern, or every one. */
  clear(shortage?: Shortage): void {
    if (shortage === undefined) this.#held.clear();
    else this.#held.delete(keyOf(shortage));
  }

  /** Whether that many machines are more than the pool has. */
  isShort(offer: Offer, count: number): boolean {
    return [...this.#held.values()].some(
      (held) =>
        held.matches(offer) &&
        (held.taken.get(poolKey(offer)) ?? 0) + count > (held.shortage.remaining ?? 0),
    );
  }

  /** Counts machines against the shortages that let some through. */
  take(offer: Offer, count: number): void {
    for (const held of this.#held.values()) {
      if (!held.matches(offer)) continue;
      const key = poolKey(offer);
      held.taken.set(key, (held.taken.get(key) ?? 0) + count);
    }
  }
}

function matcher(shortage: Shortage): (offer: Offer) => boolean {
  const type = anyMatch([shortage.instanceType ?? '*']);
  const zone = anyMatch([shortage.zone ?? '*']);
  const option = anyMatch([shortage.capacityType ?? '*']);
  return (offer) => type(offer.instanceType) && zone(offer.zone) && option(offer.capacityType);
}

function keyOf(shortage: Shortage): string {
  return [shortage.instanceType ?? '*', shortage.zone ?? '*', shortage.capacityType ?? '*'].join(
    '/',
  );
}

function poolKey(offer: Offer): string {
  return `${offer.instanceType}/${offer.zone}/${offer.capacityType}`;
}
