import { expect, test } from 'vitest';
import type { Bin } from './bin.ts';
import { heedRarity } from './rarity.ts';

type Rooms = Parameters<typeof heedRarity>[1]['markets'];

/** A small machine for two pods at $1 and a large one for a hundred at $10. */
const goods = [
  { priceUsdPerHour: 1, shape: 2 },
  { priceUsdPerHour: 10, shape: 100 },
];
const markets = { of: () => ({ front: goods }), room: (shape: number) => shape };

function worthOf(pods: number): number {
  const demand = { ties: { soloCap: Infinity } };
  const queues = [{ left: pods, demand }];
  const bin = {
    soloCap: Infinity,
    ports: [],
    worthUsdPerHour: 0.1,
    queues,
    left: pods,
  } as unknown as Bin;
  heedRarity([bin], { markets: markets as unknown as Rooms, mostPods: 200 });
  return bin.worthUsdPerHour;
}

test('pods that fill a large machine are worth their part of it', () => {
  expect(worthOf(100)).toBe(0.1);
  expect(worthOf(1_000)).toBe(0.1);
});

test('the fewer there are, the dearer they are, up to near what the smallest machine costs', () => {
  const worths = [1, 2, 30, 60, 100].map(worthOf);
  expect(worths).toEqual([...worths].sort((a, b) => b - a));
  expect(worthOf(2)).toBeGreaterThan(0.2);
  expect(worthOf(2)).toBeLessThan(0.5);
});
