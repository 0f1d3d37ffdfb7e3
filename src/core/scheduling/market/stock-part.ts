import { combine, firstUnmet, type Requirements } from '../../requirements/requirements.ts';
import { isImpossible } from '../../requirements/value-set.ts';
import { isWellKnownLabel } from '../../requirements/well-known.ts';
import { isOfOffering, offeringMeets } from './admission.ts';
import {
  cheapestFirst,
  type Good,
  type Outlet,
  type Shape,
  type Stock,
  sortByPrice,
} from './stock.ts';
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
  /** By outlet of the stock: 1 where it is one of them. */
  readonly isOpen: Uint8Array;
  /** By shape: the ways to buy it, as far as they were asked for. */
  readonly goods: (readonly Good[] | undefined)[];
}

/** A shape with the cheapest way to buy it. */
export interface Holder {
  readonly shape: Shape;
  readonly cheapest: Good;
}

/** What the wish leaves of the stock; undefined where the pool will not do at all. */
export function partOf(
  stock: Stock,
  { requirements: wanted }: Pick<Wish, 'requirements'>,
): Part | undefined {
  const { pool } = stock;
  if (firstUnmet(pool.requirements, wanted, isWellKnownLabel) !== undefined) return undefined;
  const requirements = combine(pool.requirements, wanted);
  const masks: Uint8Array[] = [];
  const texts: string[] = [];
  for (const key of [...wanted.keys()].sort()) {
    const set = requirements.get(key);
    if (set === undefined || isImpossible(set)) return undefined;
    const text = `${key} ${set.kind} ${[...set.values].sort()} ${set.mayBeAbsent} ${
      set.kind === 'except' ? `${set.min} ${set.max}` : ''
    }`;
    const meeting = stock.meeting(key, set, text);
    if (isOfOffering(key) && !meeting.includes(0)) continue;
    texts.push(text);
    masks.push(meeting);
  }
  const outlets = stock.outlets.filter(({ offering }) => offeringMeets(offering, requirements));
  const isOpen = new Uint8Array(stock.outlets.length);
  for (const { index } of outlets) isOpen[index] = 1;
  const maskText = texts.join('; ');
  const mask = maskOfAll(stock, masks, maskText);
  return { stock, requirements, mask, maskText, outlets, isOpen, goods: [] };
}

/** The shapes that are in all of the masks; kept with the stock, since few sets of them occur. */
function maskOfAll(stock: Stock, masks: readonly Uint8Array[], text: string): Uint8Array {
  const [only] = masks;
  if (only !== undefined && masks.length === 1) return only;
  const known = stock.memory.get(`mask ${text}`);
  if (known !== undefined) return known as Uint8Array;
  const all = new Uint8Array(stock.shapes.length).fill(1);
  for (const mask of masks)
    for (let index = 0; index < all.length; index++) if (mask[index] !== 1) all[index] = 0;
  stock.memory.set(`mask ${text}`, all);
  return all;
}

/** Every shape with its cheapest good that is not reserved, cheapest first. */
export function holdersOf(part: Part | undefined): readonly Holder[] {
  const holders: Holder[] = [];
  walk(part, -Infinity, (cheapest) => {
    holders.push({ shape: cheapest.shape, cheapest });
    return false;
  });
  return holders;
}

/** Goods from reservations, cheapest first. */
export function reservedOf(part: Part | undefined): readonly Good[] {
  return (part?.outlets ?? [])
    .filter(({ offering }) => offering.reservation !== undefined)
    .flatMap(({ goods }) => goods.filter(({ shape }) => part?.mask[shape.index] === 1))
    .sort(cheapestFirst);
}

/** Whether the good is one of the part. */
export function isIn(part: Part | undefined, { shape, outlet }: Good): boolean {
  return part?.mask[shape.index] === 1 && part.isOpen[outlet.index] === 1;
}

/** The ways to buy the shape, cheapest first. */
export function goodsIn(part: Part | undefined, shape: Shape): readonly Good[] {
  if (part === undefined || part.mask[shape.index] !== 1) return [];
  const known = part.goods[shape.index];
  if (known !== undefined) return known;
  const all = part.stock.goods[shape.index] ?? [];
  const found = all.filter(({ outlet }) => part.isOpen[outlet.index] === 1);
  part.goods[shape.index] = found;
  return found;
}

/** Shows shapes by their cheapest good that is not reserved, from the price on, until enough. */
export function walk(
  part: Part | undefined,
  from: number,
  isEnough: (good: Good) => boolean,
): void {
  if (part === undefined) return;
  const goods = rankedIn(part);
  for (let index = firstFrom(goods, from); index < goods.length; index++) {
    const good = goods[index];
    if (good === undefined || part.mask[good.shape.index] !== 1) continue;
    if (isEnough(good)) return;
  }
}

/** All shapes by their cheapest good; kept with the stock, since few sets of outlets occur. */
function rankedIn({ stock, isOpen }: Part): readonly Good[] {
  const text = `ranked ${isOpen.join('')}`;
  const known = stock.memory.get(text);
  if (known !== undefined) return known as readonly Good[];
  const isSold = isOpen.slice();
  for (const { index, offering } of stock.outlets)
    if (offering.reservation !== undefined) isSold[index] = 0;
  const ranked: Good[] = [];
  for (const goods of stock.goods) {
    const cheapest = goods.find(({ outlet }) => isSold[outlet.index] === 1);
    if (cheapest !== undefined) ranked.push(cheapest);
  }
  sortByPrice(ranked);
  stock.memory.set(text, ranked);
  return ranked;
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
