import type { Good, Shape } from '../market/stock.ts';

/** No more zones than this are weighed against each other, since every set of them is. */
const mostZones = 6;
const notSold = -1;
/** The planned type is entered first. */
const plannedRow = 0;

/** A set of zones, as bits, with what can be bought there within a price. */
interface Area {
  readonly zones: number;
  readonly types: number;
  /** Pairs of a type and a zone. */
  readonly pools: number;
}

/**
 * Types that hold one load, and what each costs in every zone as the kind of capacity that is
 * planned. An order allows all its types in all its zones, so that it is worth asking which sets
 * of zones leave many types of which none is dear anywhere, nor cheaper than planned.
 */
export class PriceSheet {
  readonly shapes: Shape[] = [];
  readonly #planned: Good;
  /** The planned zone first, the others as they turn up. */
  readonly #zones: string[];
  readonly #prices: number[] = [];
  /** Prices in the planned zone, the lowest first. */
  readonly #own: number[] = [];

  constructor(planned: Good, isOpen: (good: Good) => boolean) {
    this.#planned = planned;
    this.#zones = [planned.offering.zone];
    this.add(planned.shape, isOpen);
  }

  /** Enters a type with those ways to buy it that are open, if any of them is no cheaper. */
  add(shape: Shape, isOpen: (good: Good) => boolean): void {
    const start = this.#prices.length;
    this.#prices.push(notSold, notSold, notSold, notSold, notSold, notSold);
    let isOfUse = false;
    for (const good of shape.stock.goods[shape.index] ?? []) {
      if (!this.#isOfKind(good) || !isOpen(good)) continue;
      const zone = this.#zoneOf(good.offering.zone);
      if (zone === undefined) continue;
      this.#prices[start + zone] = good.priceUsdPerHour;
      isOfUse ||= good.priceUsdPerHour >= this.#planned.priceUsdPerHour;
    }
    if (isOfUse) {
      this.shapes.push(shape);
      this.#noteOwn(this.#prices[start] ?? notSold);
    } else this.#prices.length = start;
  }

  /** The price up to which the planned zone alone has so many types; Infinity where it has not. */
  ownPriceOf(types: number): number {
    return this.#own[types - 1] ?? Infinity;
  }

  /** The least price up to which some set of zones has so many types; Infinity where none has. */
  priceOf(types: number): number {
    let least = this.ownPriceOf(types);
    for (let zones = 3; zones < 1 << this.#zones.length; zones += 2) {
      if (!this.#isWithin(plannedRow, zones, least)) continue;
      const prices: number[] = [];
      for (let row = 0; row < this.shapes.length; row++) {
        const price = this.#dearest(row, zones);
        if (price < least) insert(prices, price);
      }
      least = Math.min(least, prices[types - 1] ?? Infinity);
    }
    return least;
  }

  /**
   * The zones with most to buy up to the price: as many types as are enough, then as many pools
   * as can be. The planned zone is always one of them, and the planned type can be named in all.
   */
  best(upToUsdPerHour: number, enough: number): Area {
    let best = this.#areaOf(1, upToUsdPerHour);
    for (let zones = 3; zones < 1 << this.#zones.length; zones += 2) {
      if (!this.#isWithin(plannedRow, zones, upToUsdPerHour)) continue;
      const area = this.#areaOf(zones, upToUsdPerHour);
      const more = Math.min(area.types, enough) - Math.min(best.types, enough);
      if (more > 0 || (more === 0 && area.pools > best.pools)) best = area;
    }
    return best;
  }

  /** The types that an order for these zones may name up to the price. */
  shapesIn(zones: number, upToUsdPerHour: number): readonly Shape[] {
    return this.shapes.filter((_, row) => this.#isWithin(row, zones, upToUsdPerHour));
  }

  zonesOf(zones: number): ReadonlySet<string> {
    return new Set(this.#zones.filter((_, zone) => (zones >> zone) & 1));
  }

  #areaOf(zones: number, upToUsdPerHour: number): Area {
    let types = 0;
    let pools = 0;
    for (let row = 0; row < this.shapes.length; row++) {
      if (!this.#isWithin(row, zones, upToUsdPerHour)) continue;
      types += 1;
      for (let zone = 0; zone < this.#zones.length; zone++)
        if ((zones >> zone) & 1 && this.#priceAt(row, zone) !== notSold) pools += 1;
    }
    return { zones, types, pools };
  }

  #isWithin(row: number, zones: number, upToUsdPerHour: number): boolean {
    const price = this.#dearest(row, zones);
    return price <= upToUsdPerHour && price < Infinity;
  }

  /** What the type may cost in these zones; Infinity where it is not sold or undercuts the plan. */
  #dearest(row: number, zones: number): number {
    let dearest = notSold;
    for (let zone = 0; zone < this.#zones.length; zone++) {
      if (((zones >> zone) & 1) === 0) continue;
      const price = this.#priceAt(row, zone);
      if (price === notSold) continue;
      if (price < this.#planned.priceUsdPerHour) return Infinity;
      if (price > dearest) dearest = price;
    }
    return dearest === notSold ? Infinity : dearest;
  }

  #priceAt(row: number, zone: number): number {
    return this.#prices[row * mostZones + zone] ?? notSold;
  }

  #isOfKind({ offering: { capacityType, reservation } }: Good): boolean {
    return reservation === undefined && capacityType === this.#planned.offering.capacityType;
  }

  #zoneOf(name: string): number | undefined {
    const known = this.#zones.indexOf(name);
    if (known >= 0) return known;
    if (this.#zones.length === mostZones) return undefined;
    return this.#zones.push(name) - 1;
  }

  #noteOwn(price: number): void {
    if (price >= this.#planned.priceUsdPerHour) insert(this.#own, price);
  }
}

/** Prices come nearly in order, so that there is little to move. */
function insert(prices: number[], price: number): void {
  let at = prices.length;
  for (; at > 0 && (prices[at - 1] ?? 0) > price; at--) prices[at] = prices[at - 1] ?? 0;
  prices[at] = price;
}
