import { expect, test } from 'vitest';
import { finish } from '../../steps.ts';
import type { Good } from '../market/stock.ts';
import type { Bin } from './bin.ts';
import {
  crowdedPrice,
  leastSaving,
  looserMost,
  mostExtra,
  prudentMost,
  Rivals,
} from './crowding.ts';

test('A node holds a tenth of the pods, but 30 at the least and 200 at the most', () => {
  expect([80, 500, 10_000].map(prudentMost)).toEqual([30, 50, 200]);
});

test('From 1,000 pods on a node may hold twice as many where that is clearly cheaper', () => {
  expect([500, 999, 1_000, 10_000].map(looserMost)).toEqual([50, 100, 200, 400]);
});

test('Fuller nodes must save a fiftieth by default, and nothing where only the price counts', () => {
  expect([0.2, 0].map(leastSaving)).toEqual([0.2 * 0.1, 0]);
});

test('Only more caution than usual makes a plan dearer than it need be', () => {
  expect([0, 0.2, 0.4].map(mostExtra)).toEqual([0, 0, 0.2 * 0.1]);
});

test('Pods that one machine holds cost the cheapest that holds all of them', () => {
  expect(crowdedPrice([binOf(30)], machines([10, 1], [40, 2], [100, 7]))).toBe(2);
});

test('Pods for more than the largest machine fill it, and the rest goes where it is cheapest', () => {
  expect(crowdedPrice([binOf(230)], machines([10, 1], [40, 2], [100, 7]))).toBe(7 + 7 + 2);
  expect(crowdedPrice([binOf(200)], machines([10, 1], [40, 2], [100, 7]))).toBe(14);
});

test('Pods that may not share a node are worth what they are alone', () => {
  expect(crowdedPrice([binOf(30, 1)], machines([40, 2]))).toBe(15);
  expect(crowdedPrice([binOf(30, 1), binOf(50)], machines([40, 2]))).toBe(15 + 4);
});

test('What no machine holds has no price', () => {
  expect(crowdedPrice([binOf(1)], machines())).toBe(Infinity);
});

test.each([
  { price: 8.7, isCramped: false, areFew: false },
  { price: 8.9, isCramped: false, areFew: true },
  { price: 9.3, isCramped: true, areFew: true },
])('What costs $price where crowded nodes cost 10 has rivals', ({ price, ...expected }) => {
  const rivals = new Rivals();
  finish(rivals.estimate([binOf(200)], machines([40, 2]), 50))(price);
  expect({ isCramped: rivals.isCramped, areFew: rivals.areFew }).toEqual(expected);
});

test('Few nodes are a rival even where pods may not share a node, but crowded ones are not', () => {
  const rivals = new Rivals();
  finish(rivals.estimate([binOf(200, 1)], machines([40, 2]), 50))(9.3);
  expect([rivals.isCramped, rivals.areFew]).toEqual([false, true]);
});

test('Safety lifts no plan above pods that nothing keeps apart, unless it is dearer anyway', () => {
  const rivals = new Rivals();
  finish(rivals.estimate([binOf(30, 1), binOf(50)], machines([40, 2]), 200));
  finish(rivals.estimate([binOf(90)], machines([30, 2]), 200));
  const most = [9, 10, 10.1].map((price) => rivals.mostForSafety(price, 0.2));
  expect(most).toEqual([10, 10, Infinity]);
  expect(rivals.mostForSafety(9, 0.4)).toBeCloseTo(10.2);
});

/** Machines with so much room at such a price, cheapest first. */
function machines(...list: readonly (readonly [room: number, price: number])[]) {
  const front = list.map(([room, priceUsdPerHour]) => ({ shape: room, priceUsdPerHour }));
  return {
    of: () => ({ front: front as unknown as readonly Good[] }),
    copyFree: (shape: unknown, free: Float64Array) => free.fill(Number(shape)),
  } as unknown as Parameters<typeof crowdedPrice>[1];
}

function binOf(pods: number, soloCap = Infinity): Bin {
  const own = { worthUsdPerHour: 0.5, queues: [], left: pods, first: 0 };
  return { need: Float64Array.of(1), size: 0, wish: 0, soloCap, ports: [], ...own };
}
