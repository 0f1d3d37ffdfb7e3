import { expect, test } from 'vitest';
import { finish } from '../../steps.ts';
import type { Good } from '../market/stock.ts';
import type { Bin, Queue } from './bin.ts';
import type { Load } from './filling.ts';
import { Shelf, type ShelfParts } from './shelf.ts';

const need = Float64Array.of(1);
const good = { priceUsdPerHour: 1, shape: { daemonPorts: [] } } as unknown as Good;

/** A shelf whose only machine has room for four pods. */
function shelfFor(bin: Bin): Shelf {
  const markets = {
    columns: { names: ['cpu'] },
    copyFree: (_: unknown, free: Float64Array) => free.fill(4),
  };
  const parts = {
    trade: { markets, wishes: {} },
    ledger: { affordable: () => Infinity },
    ...{ groups: 0, mostPods: 100, caution: 0, allPods: 100, isOnlyPlan: true },
  } as unknown as ShelfParts;
  return finish(Shelf.stocking(parts, [{ good, bins: [bin] }]));
}

/** One bin with queues of so many pods. */
function aBin(lefts: readonly number[]): Bin {
  const demand = { ties: { soloCap: Infinity } };
  const none = { groups: [], matches: [], caps: [] };
  const queues = lefts.map((left, index) => ({ index, demand, ...none, left, taken: 0 }));
  const left = lefts.reduce((sum, one) => sum + one, 0);
  const own = { queues: queues as unknown as Queue[], left, first: 0 };
  return { need, size: 0, wish: 0, soloCap: Infinity, ports: [], worthUsdPerHour: 1, ...own };
}

function take({ parts }: Load): void {
  for (const { bin, queue, pods } of parts) {
    queue.left -= pods;
    bin.left -= pods;
  }
}

/** All loads until nobody is left, as pods per queue. */
function loadsOf(shelf: Shelf): readonly (readonly number[])[] {
  const loads: number[][] = [];
  const steps = shelf.handOut((load) => {
    loads.push(load.parts.map(({ pods }) => pods));
    take(load);
  });
  finish(steps);
  return loads;
}

test('a machine is filled with the same again from other queues, without weighing anew', () => {
  const shelf = shelfFor(aBin([4, 4, 3, 1, 2, 2]));
  expect(loadsOf(shelf)).toEqual([[4], [4], [3, 1], [2, 2]]);
  expect(shelf.effort).toBe(9);
});

test('once there are fewer than that, it is filled with what is left', () => {
  const shelf = shelfFor(aBin([4, 3]));
  expect(loadsOf(shelf)).toEqual([[4], [3]]);
  expect(shelf.effort).toBe(18);
});
