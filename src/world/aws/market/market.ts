import { integerBelow, type Random } from '../../../ports/random.ts';
import type { CloudTime } from '../cloud-time.ts';
import type { InstanceRoom, ReclaimOutcome } from '../ec2/instance-room.ts';
import type { RateLimit, RateLimits } from '../wire/rate-limit.ts';
import type { Bill, Ledger } from './ledger.ts';
import type { Offer, PurchaseOption } from './offer.ts';
import type { Prices } from './prices.ts';
import type { ReservationWish } from './reserve.ts';
import type { Quotas, Shortage, Shortages } from './shortages.ts';

/** The cloud's side of the counter: what things cost, what has run out, what is taken back. */
export interface Market {
  /** USD per hour now; undefined when the pool is not offered or its price unknown. */
  priceUsdPerHour(offer: Offer): number | undefined;
  /** From now on these pools are empty, or nearly. The same pattern again replaces the earlier one. */
  setShortage(shortage: Shortage): void;
  /** Ends the shortage with that very pattern; without an argument, every shortage. */
  clearShortage(shortage?: Shortage): void;
  /** The account's vCPU quota; undefined lifts it. */
  setQuota(option: PurchaseOption, vcpus: number | undefined): void;
  /** Lets spot prices move by up to that fraction around the catalogue's; 0 stops them. */
  setSpotDrift(amplitude: number): void;
  /** Throttles one action, or with `*` all that have no limit of their own. */
  setRateLimit(action: string, limit: RateLimit): void;
  clearRateLimits(): void;
  /**
   * Takes a spot machine back: the warning is in the queue at once, the machine is gone after 120
   * simulated seconds. Safe to repeat.
   */
  interrupt(
    instanceId: string,
    options?: { readonly isRebalanceAnnounced?: boolean },
  ): ReclaimOutcome;
  /**
   * Puts capacity aside for the account, blocks and interruptible capacity included, which nobody
   * can order through this endpoint. Returns the reservation's id.
   */
  reserve(wish: ReservationWish): string;
  /** Shifts the cluster away from a zone until that moment; undefined ends the shift. */
  setZonalShift(zoneId: string, untilMs: number | undefined): void;
  /** The exact bill up to that moment. */
  bill(nowMs: number): Bill;
}

/** The two minutes between the warning and the end. */
const noticeSeconds = 120;

export function createMarket(parts: {
  readonly time: CloudTime;
  readonly random: Random;
  readonly prices: Prices;
  readonly shortages: Shortages;
  readonly quotas: Quotas;
  readonly ledger: Ledger;
  readonly limits: RateLimits;
  readonly instances: InstanceRoom;
  readonly reserve: (wish: ReservationWish) => string;
  readonly zonalShifts: Map<string, number>;
}): Market {
  const { time, prices, shortages, quotas, limits } = parts;
  return {
    priceUsdPerHour: (offer) => prices.at(offer, time.nowMs()),
    setShortage: (shortage) => shortages.set(shortage),
    clearShortage: (shortage) => shortages.clear(shortage),
    setQuota: (option, vcpus) => {
      if (vcpus === undefined) delete quotas[option];
      else quotas[option] = vcpus;
    },
    setSpotDrift: (amplitude) =>
      prices.setSpotDrift(
        amplitude === 0 ? undefined : { amplitude, seed: integerBelow(parts.random, 2 ** 31) },
      ),
    setRateLimit: (action, limit) => limits.set(action, limit),
    clearRateLimits: () => limits.clear(),
    interrupt: (instanceId, options = {}) =>
      parts.instances.reclaim(instanceId, {
        noticeSeconds,
        isRebalanceAnnounced: options.isRebalanceAnnounced ?? false,
      }),
    reserve: (wish) => parts.reserve(wish),
    setZonalShift: (zoneId, untilMs) => {
      if (untilMs === undefined) parts.zonalShifts.delete(zoneId);
      else parts.zonalShifts.set(zoneId, untilMs);
    },
    bill: (nowMs) => parts.ledger.bill(nowMs),
  };
}
