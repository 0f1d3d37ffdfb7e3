import type { Markets } from '../market/market.ts';
import type { Bin } from './bin.ts';
import { mostOf } from './bin-rows.ts';

type Rooms = Pick<Markets, 'of' | 'room'>;

/** How much the price of a machine for the pods there are counts, against one full of their like. */
const share = 0.6;

/**
 * Raises the worth of pods of which there are few. Full machines of their like are the cheapest,
 * but nobody buys one for three pods; what these cost as few as they are is nearer to what will
 * have to be paid.
 */
export function heedRarity(
  bins: readonly Bin[],
  at: { readonly markets: Rooms; readonly mostPods: number },
): void {
  for (const bin of bins) {
    const each = leastFor(bin, at);
    if (each > bin.worthUsdPerHour && each < Infinity)
      bin.worthUsdPerHour = bin.worthUsdPerHour ** (1 - share) * each ** share;
  }
}

/** The least that one pod costs on a machine for its like alone, of which there are only so many. */
function leastFor(
  bin: Bin,
  { markets, mostPods }: { readonly markets: Rooms; readonly mostPods: number },
): number {
  const most = Math.min(mostOf(bin), mostPods, bin.ports.length > 0 ? 1 : Infinity);
  let least = Infinity;
  for (const good of markets.of(bin.wish).front) {
    // They only become dearer from here on, and hold no more such pods than that.
    if (good.priceUsdPerHour >= least * most) break;
    const pods = Math.min(markets.room(good.shape, bin.need), most);
    if (pods > 0) least = Math.min(least, good.priceUsdPerHour / pods);
  }
  return least;
}
