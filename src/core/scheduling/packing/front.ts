import { type Pod, portsClash } from '../../cluster/pod.ts';
import { orderInto } from '../../number-order.ts';
import type { Vector } from '../../quantity/columns.ts';
import type { Markets } from '../market/market.ts';
import type { Good } from '../market/stock.ts';

/** The goods worth buying for a wish as rows of numbers, the cheapest first. */
export interface Front {
  readonly goods: readonly Good[];
  readonly prices: Float64Array;
  /** What each leaves to pods, row by row. */
  readonly free: Vector;
  /** By column: what a unit costs at the least if nothing else is scarce. */
  readonly leastPerUnit: Vector;
  /** By column, as far as it was asked for. */
  readonly rates: (Rates | undefined)[];
}

/** Rows by what a unit of one resource costs there if nothing else is scarce, about in order. */
interface Rates {
  readonly rows: Float64Array;
  /** The least that it costs from this place on. */
  readonly usdPerUnit: Float64Array;
}

/** What is to be bought for: pods of this kind alone, at most so many on a node. */
interface Asked {
  readonly pod: Pod;
  readonly need: Vector;
  readonly soloCap: number;
}

/** How many pods a node holds unless something says otherwise. */
const usualPods = 110;
/** Rounding must not hide a row that is cheaper by a trifle. */
const nearly = 1 - 1e-9;

export function frontOf(markets: Markets | undefined, wish: number): Front {
  const goods = markets?.of(wish).front ?? [];
  const width = markets?.columns.names.length ?? 0;
  const free = new Float64Array(goods.length * width);
  const prices = new Float64Array(goods.length);
  const leastPerUnit = new Float64Array(width).fill(Infinity);
  const left = new Float64Array(width);
  for (const [row, { shape, priceUsdPerHour }] of goods.entries()) {
    markets?.copyFree(shape, left);
    free.set(left, row * width);
    prices[row] = priceUsdPerHour;
    for (let column = 0; column < width; column++)
      leastPerUnit[column] = Math.min(
        leastPerUnit[column] ?? 0,
        priceUsdPerHour / Math.max(0, left[column] ?? 0),
      );
  }
  return { goods, prices, free, leastPerUnit, rates: [] };
}

/** The least that one such pod costs on a machine full of its like; Infinity where none holds it. */
export function leastIn(front: Front, asked: Asked): number {
  const { need, soloCap } = asked;
  const columns = columnsIn(need);
  const lead = soloCap === Infinity ? leadOf(front, need) : undefined;
  if (lead === undefined) return leastByPrice(front, asked, columns);
  const { rows, usdPerUnit } = ratesOf(front, lead, need.length);
  const amount = need[lead] ?? 0;
  let least = Infinity;
  for (let place = 0; place < rows.length; place++) {
    // A pod costs no less than what it takes of this resource, and that only becomes dearer.
    if ((usdPerUnit[place] ?? 0) * amount * nearly >= least) break;
    least = Math.min(least, costOn(front, rows[place] ?? 0, { asked, columns }));
  }
  return least;
}

/** The same where a node holds so few that its price alone decides. */
function leastByPrice(front: Front, asked: Asked, columns: readonly number[]): number {
  let least = Infinity;
  for (let row = 0; row < front.prices.length; row++) {
    // They only become dearer from here on, and hold no more such pods than that.
    if ((front.prices[row] ?? 0) >= least * asked.soloCap) break;
    least = Math.min(least, costOn(front, row, { asked, columns }));
  }
  return least;
}

function costOn(
  { goods, prices, free }: Front,
  row: number,
  { asked, columns }: { readonly asked: Asked; readonly columns: readonly number[] },
): number {
  const { need, soloCap } = asked;
  const { hostPorts } = asked.pod;
  let times = Infinity;
  for (const column of columns) {
    const fitting = (free[row * need.length + column] ?? 0) / (need[column] ?? 1);
    if (fitting < times) times = fitting;
  }
  times = times === Infinity ? usualPods : Math.max(0, Math.floor(times));
  if (times > 0 && hostPorts.length > 0)
    times = portsClash(hostPorts, goods[row]?.shape.daemonPorts ?? []) ? 0 : 1;
  return times > 0 ? (prices[row] ?? 0) / Math.min(times, soloCap) : Infinity;
}

/** The resource that costs such a pod most where it is cheapest; undefined if it asks for none. */
function leadOf({ leastPerUnit }: Front, need: Vector): number | undefined {
  let lead: number | undefined;
  let most = 0;
  for (let column = 0; column < need.length; column++) {
    const usd = (leastPerUnit[column] ?? 0) * (need[column] ?? 0);
    if (!(usd > most)) continue;
    lead = column;
    most = usd;
  }
  return lead;
}

function ratesOf(front: Front, column: number, width: number): Rates {
  const known = front.rates[column];
  if (known !== undefined) return known;
  const { prices, free } = front;
  const many = prices.length;
  const rates = new Float64Array(many);
  for (let row = 0; row < many; row++) {
    const left = free[row * width + column] ?? 0;
    // Who has none of it holds nobody who asks for it, at whatever price.
    rates[row] = left > 0 ? (prices[row] ?? 0) / left : 0;
  }
  const rows = new Float64Array(many);
  orderInto(rows, rates);
  const usdPerUnit = new Float64Array(many);
  let least = Infinity;
  for (let place = many - 1; place >= 0; place--) {
    least = Math.min(least, rates[rows[place] ?? 0] ?? 0);
    usdPerUnit[place] = least;
  }
  front.rates[column] = { rows, usdPerUnit };
  return { rows, usdPerUnit };
}

function columnsIn(need: Vector): readonly number[] {
  const columns: number[] = [];
  for (let column = 0; column < need.length; column++)
    if ((need[column] ?? 0) > 0) columns.push(column);
  return columns;
}
