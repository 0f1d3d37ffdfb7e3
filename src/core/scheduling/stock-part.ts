import { combine, firstUnmet, type Requirements } from '../requirements/requirements.ts';
import { isImpossible } from '../requirements/value-set.ts';
import { isWellKnownLabel } from '../requirements/well-known.ts';
import { isOfOffering, offeringMeets } from './admission.ts';
import { cheapestFirst, type Good, type Outlet, type Shape, type Stock } from './stock.ts';
import type { Wish } from './wish.ts';

/** The part of one stock that meets a wish. */
export interface Part {
  readonly stock: Stock;
  readonly requirements: Requirements;
  /** By shape. */
  readonly mask: Uint8Array;
  /** Equal texts mean equal masks. */
  readonly maskText: string;
  readonly outlets: readonly Outlet[];
}

/** A shape with the cheapest way to buy it. */
export interface Holder {
  readonly shape: Shape;
  readonly cheapest: Good;
}

/** What the wish leaves of the stock; undefined where the pool will not do at all. */
export function partOf(stock: Stock, wish: Wish): Part | undefined {
  const { pool } = stock;
  const wanted = wish.requirements;
  if (firstUnmet(pool.requirements, wanted, isWellKnownLabel) !== undefined) return undefined;
  const requirements = combine(pool.requirements, wanted);
  const mask = new Uint8Array(stock.shapes.length).fill(1);
  const texts: string[] = [];
  for (const key of [...wanted.keys()].sort()) {
    const set = requirements.get(key);
    if (set === undefined || isImpossible(set)) return undefined;
    const text = `${key} ${set.kind} ${[...set.values].sort()} ${set.mayBeAbsent} ${
      set.kind === 'except' ? `${set.min} ${set.max}` : ''
    }`;
    const meeting = stock.meeting(key, set, text);
    if (isOfOffering(key) && meeting.every((one) => one === 1)) continue;
    texts.push(text);
    for (let index = 0; index < mask.length; index++)
      mask[index] = (mask[index] ?? 0) & (meeting[index] ?? 0);
  }
  const outlets = stock.outlets.filter(({ offering }) => offeringMeets(offering, requirements));
  return { stock, requirements, mask, maskText: texts.join('; '), outlets };
}

/** Every shape with its cheapest good that is not reserved, cheapest first. */
export function holdersOf(part: Part | undefined): readonly Holder[] {
  if (part === undefined) return [];
  const isOpen = part.stock.outlets.map((outlet) => part.outlets.includes(outlet));
  const holders: Holder[] = [];
  for (const shape of part.stock.shapes) {
    if (part.mask[shape.index] !== 1) continue;
    const cheapest = part.stock.goods[shape.index]?.find(
      ({ outlet, offering }) => isOpen[outlet.index] === true && offering.reservation === undefined,
    );
    if (cheapest !== undefined) holders.push({ shape, cheapest });
  }
  return holders.sort((a, b) => cheapestFirst(a.cheapest, b.cheapest));
}

/** Goods from reservations, cheapest first. */
export function reservedOf(part: Part | undefined): readonly Good[] {
  return (part?.outlets ?? [])
    .filter(({ offering }) => offering.reservation !== undefined)
    .flatMap(({ goods }) => goods.filter(({ shape }) => part?.mask[shape.index] === 1))
    .sort(cheapestFirst);
}

/** The ways to buy the shape, cheapest first. */
export function goodsIn(part: Part | undefined, shape: Shape): readonly Good[] {
  const found: Good[] = [];
  if (part === undefined || part.mask[shape.index] !== 1) return found;
  for (const good of part.stock.goods[shape.index] ?? [])
    if (part.outlets.includes(good.outlet)) found.push(good);
  return found;
}

/** The outlets are in order of price each; all together are walked by taking the cheapest next. */
export function walk(
  part: Part | undefined,
  from: number,
  isEnough: (good: Good) => boolean,
): void {
  if (part === undefined) return;
  const lists = part.outlets
    .filter(({ offering }) => offering.reservation === undefined)
    .map(({ goods }) => ({ goods, next: firstFrom(goods, from) }));
  const seen = new Uint8Array(part.mask.length);
  for (;;) {
    let best: (typeof lists)[number] | undefined;
    let good: Good | undefined;
    for (const list of lists) {
      const next = list.goods[list.next];
      if (next === undefined || (good !== undefined && cheapestFirst(next, good) >= 0)) continue;
      best = list;
      good = next;
    }
    if (best === undefined || good === undefined) return;
    best.next += 1;
    const { index } = good.shape;
    if (part.mask[index] !== 1 || seen[index] === 1) continue;
    seen[index] = 1;
    if (isEnough(good)) return;
  }
}

function firstFrom(goods: readonly Good[], price: number): number {
  let low = 0;
  let high = goods.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((goods[middle]?.priceUsdPerHour ?? 0) < price) low = middle + 1;
    else high = middle;
  }
  return low;
}
