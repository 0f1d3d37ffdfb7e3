import { isExotic } from '../../catalog/exotic.ts';
import type { Stock } from '../market/stock.ts';

/**
 * By shape of the stock: 1 where its type is exotic. A launch that may be anything else leaves such
 * types out, so that an order for other machines gains nothing by naming them.
 */
export function exoticIn({ shapes, memory }: Stock): Uint8Array {
  const known = memory.get('exotic');
  if (known instanceof Uint8Array) return known;
  const mask = Uint8Array.from(shapes, ({ type }) => (isExotic(type) ? 1 : 0));
  memory.set('exotic', mask);
  return mask;
}
