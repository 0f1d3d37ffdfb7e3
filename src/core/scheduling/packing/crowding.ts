import type { Vector } from '../../quantity/columns.ts';
import type { Markets } from '../market/market.ts';
import type { Good } from '../market/stock.ts';
import { usualCaution } from '../settings.ts';
import { type Bin, podsIn } from './bin.ts';

/** No node is filled beyond this share of the pods, unless so few are left that it is silly. */
const mostShare = 0.1;
const fewestMost = 30;
const mostMost = 200;
/** From this part of what crowded nodes may cost on, which is only an estimate, they are tried. */
const nearly = 0.92;
/** From this part of what all pods cost together on, nodes as few as can be are tried. */
const remotely = 0.88;
/** From so many pods on, plans with fuller nodes are drawn as well: with so many times the cap. */
const manyPods = 1_000;
const looser = 2;
/** What a plan with fuller nodes must save, as a part of the price, for each unit of caution. */
const savingPerCaution = 0.1;

/** How many pods a node gets at the most, so that not too many are lost with it. */
export function prudentMost(allPods: number): number {
  return Math.min(mostMost, Math.max(fewestMost, Math.ceil(allPods * mostShare)));
}

/** How many pods a node may get where that is clearly cheaper; as many as usual in small batches. */
export function looserMost(allPods: number): number {
  return prudentMost(allPods) * (allPods < manyPods ? 1 : looser);
}

/** How many pods a node gets where the price alone counts, up to so many times as many as usual. */
export function boldMost(allPods: number, times = Infinity): number {
  return Math.min(allPods, Math.ceil(prudentMost(allPods) * times));
}

/** A plan with fuller nodes is taken only where it saves more than this part of the price. */
export function leastSaving(caution: number): number {
  return caution * savingPerCaution;
}

/** By what part of the price a plan may be dearer for safety, where more than usual is asked for. */
export function mostExtra(caution: number): number {
  return leastSaving(Math.max(0, caution - usualCaution));
}

type Rooms = Pick<Markets, 'of' | 'copyFree'>;

/**
 * About what the pods cost where as many as possible share a node: those of whom a node holds only
 * so many what they are worth, the others as in `priceTogether`. Nothing is packed.
 */
export function crowdedPrice(bins: readonly Bin[], markets: Rooms): number {
  const others = bins.filter((bin) => !isCappedPerNode(bin));
  const capped = bins.filter(isCappedPerNode);
  const price = capped.reduce((sum, own) => sum + own.worthUsdPerHour * own.left, 0);
  return price + priceTogether(others, markets);
}

/** Whether a node holds only so many of the pods, by rules between them or by ports. */
function isCappedPerNode({ soloCap, ports }: Bin): boolean {
  return soloCap < Infinity || ports.length > 0;
}

/**
 * About what the pods cost if nothing kept them apart: all who ask for the same in the largest
 * machines there are, the rest of them in the cheapest that holds it. The original comes near it
 * from above.
 */
function priceTogether(bins: readonly Bin[], markets: Rooms): number {
  const totals = new Map<number, Vector>();
  for (const { need, wish, left } of bins) {
    const total = totals.get(wish) ?? new Float64Array(need.length);
    totals.set(wish, total);
    for (let column = 0; column < total.length; column++)
      total[column] = (total[column] ?? 0) + left * (need[column] ?? 0);
  }
  let price = 0;
  for (const [wish, total] of totals) price += priceOfAll(total, markets.of(wish).front, markets);
  return price;
}

/** Plans that might cost less than what was packed, by estimates made before packing. */
export class Rivals {
  #isCramped = false;
  #areFew = false;
  #togetherUsdPerHour = 0;

  /** To be called before the pods are packed, and its answer afterwards with their price. */
  *estimate(
    bins: readonly Bin[],
    markets: Rooms,
    mostPods: number,
  ): Generator<void, (packedUsdPerHour: number) => void> {
    yield;
    const together = priceTogether(bins, markets);
    yield;
    this.#togetherUsdPerHour += together;
    const price = bins.some(isCappedPerNode) ? crowdedPrice(bins, markets) : together;
    const crowded = podsIn(bins) > mostPods ? price : Infinity;
    yield;
    return (packedUsdPerHour) => {
      if (packedUsdPerHour > crowded * nearly) this.#isCramped = true;
      if (packedUsdPerHour > together * remotely) this.#areFew = true;
    };
  }

  /** Pods might cost less if more of them shared a node. */
  get isCramped(): boolean {
    return this.#isCramped;
  }

  /** Nodes as few as can be might cost less. */
  get areFew(): boolean {
    return this.#areFew;
  }

  /**
   * Safety alone does not make a plan dearer than the original's, unless more caution than usual
   * is asked for. Where rules between pods make it dearer anyway, the estimate says nothing.
   */
  mostForSafety(packedUsdPerHour: number, caution: number): number {
    const most = this.#togetherUsdPerHour * (1 + mostExtra(caution));
    return packedUsdPerHour <= most + 1e-9 ? most : Infinity;
  }
}

/** Of goods that come cheapest first. */
function priceOfAll(total: Vector, goods: readonly Good[], markets: Rooms): number {
  const free = new Float64Array(total.length);
  const machines = goods.map(({ shape }) => {
    markets.copyFree(shape, free);
    return timesNeeded(total, free);
  });
  const fewest = machines.reduce((least, times) => Math.min(least, times), Infinity);
  if (fewest === Infinity) return Infinity;
  const priceAt = (times: number): number =>
    goods[machines.findIndex((own) => own <= times)]?.priceUsdPerHour ?? 0;
  const full = fewest <= 1 ? 0 : Math.floor(fewest);
  const rest = fewest - full;
  const last = rest > 0 ? priceAt(fewest / rest) : 0;
  return full * priceAt(fewest) + last;
}

/** How many such machines hold so much, in fractions. */
function timesNeeded(total: Vector, free: Vector): number {
  let times = 0;
  for (let column = 0; column < total.length; column++) {
    const amount = total[column] ?? 0;
    if (amount > 0) times = Math.max(times, amount / Math.max(0, free[column] ?? 0));
  }
  return times;
}
