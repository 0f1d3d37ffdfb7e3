import { isExotic } from '../../catalog/exotic.ts';
import type { Shape, Stock } from '../market/stock.ts';

const unknown = 0;
const exotic = 1;
const usual = 2;

/**
 * Tells which shapes of the stock are as exotic as the planned one. A launch that may be anything
 * else leaves exotic types out, so that an order for other machines gains nothing by naming them.
 */
export function kinOf(planned: Shape): (shape: Shape) => boolean {
  const kinds = kindsIn(planned.stock);
  const own = kindOf(planned, kinds);
  return (shape) => kindOf(shape, kinds) === own;
}

/** Found out only for types that are asked about, which are few. */
function kindOf({ index, type }: Shape, kinds: Uint8Array): number {
  const known = kinds[index] ?? unknown;
  if (known !== unknown) return known;
  const kind = isExotic(type) ? exotic : usual;
  kinds[index] = kind;
  return kind;
}

function kindsIn({ shapes, memory }: Stock): Uint8Array {
  const known = memory.get('exotic');
  if (known instanceof Uint8Array) return known;
  const kinds = new Uint8Array(shapes.length);
  memory.set('exotic', kinds);
  return kinds;
}
