import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aDaemon, aPool, aType } from '../../../../test/validator/builders.ts';
import { finish } from '../../steps.ts';
import { Markets } from '../market/market.ts';
import { stocking } from '../market/stock.ts';
import { Wishes } from '../market/wish.ts';
import { Leeway } from './leeway.ts';

const sizes = fc.array(
  fc.record({ cpu: fc.integer({ min: 1, max: 6 }), memoryGi: fc.integer({ min: 1, max: 6 }) }),
  { minLength: 1, maxLength: 8 },
);
const load = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }));
const columns = { names: ['cpu', 'memory'] };

/** Machines of these sizes, on some of which the daemon leaves little. */
function marketOf(types: readonly { readonly cpu: number; readonly memoryGi: number }[]) {
  const instanceTypes = types.map((size, index) => aType({ name: `x${index}.large`, ...size }));
  const pools = [aPool({ instanceTypes })];
  const daemons = [aDaemon({ cpuMillis: 1_500 })];
  const stocks = pools.map((pool) => finish(stocking(pool, daemons)));
  const shapes = stocks.flatMap((stock) => stock.shapes);
  return { shapes, markets: new Markets({ stocks, pools, wishes: new Wishes(pools), columns }) };
}

const vectorOf = ([cores, gibibytes]: readonly [number, number]): Float64Array =>
  Float64Array.of(cores * 1000, gibibytes * 2 ** 30);

test('Loads within the leeway of another are held by the same machines', () => {
  const met = { covered: 0, other: 0 };
  fc.assert(
    fc.property(sizes, load, load, (types, one, two) => {
      const { shapes, markets } = marketOf(types);
      const leeway = new Leeway(markets);
      const [first, second] = [vectorOf(one), vectorOf(two)];
      const answers = shapes.map((shape) => leeway.holds(shape, first));
      expect(answers).toEqual(shapes.map((shape) => markets.holds(shape, first)));
      expect(leeway.covers(first)).toBe(true);
      const isCovered = leeway.covers(second);
      met[isCovered ? 'covered' : 'other'] += 1;
      if (isCovered) expect(shapes.map((shape) => markets.holds(shape, second))).toEqual(answers);
    }),
    { numRuns: 1_000, seed: 5 },
  );
  expect(met.covered).toBeGreaterThan(100);
  expect(met.other).toBeGreaterThan(100);
});
