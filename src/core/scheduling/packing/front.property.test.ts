import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../../cluster/pod.ts';
import type { Markets } from '../market/market.ts';
import { frontOf, leastIn } from './front.ts';

interface Machine {
  readonly free: readonly number[];
  readonly price: number;
}

const amounts = (most: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat(most), { minLength: 3, maxLength: 3 });
const machine = fc.record({ free: amounts(40), price: fc.nat(20).map((price) => price / 4) });

test('a pod costs what it costs on the machine that is cheapest when full of its like', () => {
  const machines = fc.array(machine, { maxLength: 60 });
  const soloCap = fc.constantFrom(1, 3, Infinity);
  fc.assert(
    fc.property(machines, amounts(6), soloCap, (list, wanted, cap) => {
      const front = frontOf(marketsOf(list), 0);
      const need = Float64Array.from(wanted);
      const asked = { pod: { hostPorts: [] } as unknown as Pod, need, soloCap: cap };
      const costs = list.map(({ free, price }) => price / Math.min(cap, timesOn(free, wanted)));
      expect(leastIn(front, asked)).toBe(Math.min(Infinity, ...costs.filter((cost) => cost >= 0)));
    }),
    { numRuns: 500 },
  );
});

/** Cheapest first, as a market shows them. */
function marketsOf(machines: readonly Machine[]): Markets {
  const front = machines
    .map(({ free, price }) => ({ shape: free, priceUsdPerHour: price }))
    .sort((a, b) => a.priceUsdPerHour - b.priceUsdPerHour);
  const markets: unknown = {
    columns: { names: ['cpu', 'memory', 'pods'] },
    of: () => ({ front }),
    copyFree: (free: readonly number[], into: Float64Array) => into.set(free),
  };
  return markets as Markets;
}

/** Those who ask for nothing go by the usual number of pods. */
function timesOn(free: readonly number[], need: readonly number[]): number {
  const times = need.map((amount, column) =>
    amount === 0 ? Infinity : Math.floor((free[column] ?? 0) / amount),
  );
  const least = Math.min(...times);
  return least === Infinity ? 110 : least;
}
