import type { CloudTime } from '../cloud-time.ts';
import type { RegionCatalog } from '../region-catalog.ts';
import { hash } from '../stable-id.ts';
import type { Offer } from './offer.ts';

interface SpotDrift {
  readonly seed: number;
  /** Largest departure from the catalogue's price, as a fraction of it: 0.3 is ±30 %. */
  readonly amplitude: number;
}

interface PricePeriod {
  readonly fromMs: number;
  readonly toMs: number;
  readonly usdPerHour: number;
}

const hour = 3600;
/** Simulated hours between two points that the price moves towards. */
const swingHours = 12;

/**
 * What machines cost. On-demand prices stand still. Spot prices stand still too unless a drift is
 * set; then they change at every full simulated hour, and never rise above on-demand.
 */
export class Prices {
  readonly #offers: RegionCatalog;
  readonly #time: CloudTime;
  readonly #startMs: number;
  /** Oldest first. Earlier ones are kept, since the bill asks for prices of the past. */
  readonly #drifts: { readonly sinceMs: number; readonly drift: SpotDrift | undefined }[] = [];

  constructor(offers: RegionCatalog, time: CloudTime) {
    this.#offers = offers;
    this.#time = time;
    this.#startMs = time.nowMs();
  }

  setSpotDrift(drift: SpotDrift | undefined): void {
    this.#drifts.push({ sinceMs: this.#time.nowMs(), drift });
  }

  /** USD per hour at that moment; undefined when the pool is not offered or its price unknown. */
  at(offer: Offer, atMs: number): number | undefined {
    if (!this.#offers.isOffered(offer.instanceType, offer.zone)) return undefined;
    const onDemand = this.#offers.onDemandUsdPerHour(offer.instanceType);
    if (offer.capacityType === 'on-demand') return onDemand;
    const spot = this.#offers.spotUsdPerHour(offer.instanceType, offer.zone);
    const drift = this.#driftAt(atMs)?.drift;
    if (spot === undefined || drift === undefined) return spot;
    const factor = driftFactor(offer, this.#hourAt(atMs), drift);
    return round(Math.min(spot * factor, onDemand ?? Number.POSITIVE_INFINITY));
  }

  /** The stretches of one price between two moments, oldest first. */
  periods(offer: Offer, fromMs: number, toMs: number): readonly PricePeriod[] {
    const periods: PricePeriod[] = [];
    let startMs = fromMs;
    do {
      const endMs = Math.min(toMs, this.#untilMs(offer, startMs));
      periods.push({ fromMs: startMs, toMs: endMs, usdPerHour: this.at(offer, startMs) ?? 0 });
      startMs = endMs;
    } while (startMs < toMs);
    return periods;
  }

  /** When the price that is valid at that moment began. */
  sinceMs(offer: Offer, atMs: number): number {
    const latest = offer.capacityType === 'spot' ? this.#driftAt(atMs) : undefined;
    if (latest === undefined) return this.#startMs;
    if (latest.drift === undefined) return latest.sinceMs;
    const hourMs = this.#time.later(this.#startMs, this.#hourAt(atMs) * hour);
    return Math.max(latest.sinceMs, hourMs);
  }

  #untilMs(offer: Offer, atMs: number): number {
    if (offer.capacityType !== 'spot') return Number.POSITIVE_INFINITY;
    const change = this.#drifts.find((entry) => entry.sinceMs > atMs)?.sinceMs;
    const nextHour = this.#driftAt(atMs)?.drift === undefined ? undefined : this.#nextHourMs(atMs);
    return Math.min(change ?? Number.POSITIVE_INFINITY, nextHour ?? Number.POSITIVE_INFINITY);
  }

  #driftAt(atMs: number) {
    return this.#drifts.findLast((entry) => entry.sinceMs <= atMs);
  }

  #hourAt(atMs: number): number {
    // The tolerance keeps a boundary that was computed by `later` on its own side.
    return Math.floor(this.#time.secondsBetween(this.#startMs, atMs) / hour + 1e-9);
  }

  #nextHourMs(atMs: number): number {
    return this.#time.later(this.#startMs, (this.#hourAt(atMs) + 1) * hour);
  }
}

// Straight lines between seeded points: a drift, as real spot prices have, and not a jitter.
function driftFactor(offer: Offer, atHour: number, drift: SpotDrift): number {
  const swing = Math.floor(atHour / swingHours);
  const share = (atHour - swing * swingHours) / swingHours;
  const point = (index: number): number =>
    (hash(`${drift.seed}/${offer.instanceType}/${offer.zone}/${index}`) / 0xffffffff) * 2 - 1;
  const departure = point(swing) * (1 - share) + point(swing + 1) * share;
  return 1 + drift.amplitude * departure;
}

function round(price: number): number {
  return Math.round(price * 10_000) / 10_000;
}
