import { describe, expect, test } from 'vitest';
import type { Random } from '../../ports/random.ts';
import { createSeededRandom, fork } from './seeded-random.ts';
import { createSystemRandom } from './system-random.ts';

function draw(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random.fraction());
}

describe('seeded chance', () => {
  test('the same seed draws the same numbers, another seed draws others', () => {
    expect(draw(createSeededRandom(7), 20)).toEqual(draw(createSeededRandom(7), 20));
    expect(draw(createSeededRandom(7), 20)).not.toEqual(draw(createSeededRandom(8), 20));
  });

  test('the first numbers of a seed are always these, so that a seed in a bug report stays good', () => {
    const first = draw(createSeededRandom(1), 3).map((value) => Math.floor(value * 1e6));
    expect(first).toMatchInlineSnapshot(`
      [
        55280,
        495896,
        775545,
      ]
    `);
  });

  test('a fork depends on the seed and its name, and not on what was drawn before', () => {
    const untouched = createSeededRandom(7);
    const used = createSeededRandom(7);
    draw(used, 100);
    expect(draw(fork(used, 'cloud'), 5)).toEqual(draw(fork(untouched, 'cloud'), 5));
    expect(draw(fork(7, 'cloud'), 5)).toEqual(draw(fork(untouched, 'cloud'), 5));
    expect(draw(fork(7, 'cloud'), 5)).not.toEqual(draw(fork(7, 'kubelet'), 5));
    expect(draw(fork(fork(7, 'a'), 'b'), 5)).not.toEqual(draw(fork(fork(7, 'b'), 'a'), 5));
  });

  test('forking takes nothing from its source', () => {
    const forked = createSeededRandom(7);
    fork(forked, 'any');
    expect(draw(forked, 5)).toEqual(draw(createSeededRandom(7), 5));
  });

  test('chance without a seed forks into itself', () => {
    const system = createSystemRandom();
    expect(fork(system, 'any')).toBe(system);
  });
});

describe.each([
  { name: 'seeded', random: createSeededRandom(3) },
  { name: 'system', random: createSystemRandom() },
])('$name chance', ({ random }) => {
  test('lies in [0, 1) and fills it evenly', () => {
    const buckets = new Array<number>(10).fill(0);
    const values = draw(random, 50_000);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    for (const value of values) {
      const bucket = Math.floor(value * 10);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    // Six standard deviations around 5,000: chance alone does not leave it in a lifetime.
    for (const count of buckets) expect(Math.abs(count - 5_000)).toBeLessThan(6 * 67);
  });
});
