import { expect, test } from 'vitest';
import { finish } from '../../steps.ts';
import { bargain, type Drawing } from './bargaining.ts';
import type { Bin } from './bin.ts';
import type { Draft } from './drafting.ts';

function aBin(worthUsdPerHour: number): Bin {
  const need = new Float64Array(1);
  return {
    need,
    size: 0,
    wish: 0,
    soloCap: Infinity,
    ports: [],
    worthUsdPerHour,
    queues: [],
    left: 0,
    first: 0,
  };
}

/** One machine at the price, with these pods. */
function aDraft(priceUsdPerHour: number, parts: readonly (readonly [Bin, number])[]): Draft {
  const pods = parts.reduce((sum, [, amount]) => sum + amount, 0);
  const load = { parts: parts.map(([bin, amount]) => ({ bin, pods: amount })), pods };
  return { load, good: { priceUsdPerHour }, times: 1 } as unknown as Draft;
}

/** Draws the given plans in turn, the last one for ever, and knows which drafts hold. */
class Scripted implements Drawing {
  readonly held = new Set<Draft>();
  drawn = 0;
  readonly #plans: readonly (readonly Draft[])[];

  constructor(plans: readonly (readonly Draft[])[]) {
    this.#plans = plans;
  }

  get effort(): number {
    return this.drawn * 5_000;
  }

  *draw(): Generator<void, readonly Draft[]> {
    const plan = this.#plans[Math.min(this.drawn, this.#plans.length - 1)] ?? [];
    this.drawn += 1;
    for (const draft of plan) this.take(draft);
    yield;
    return plan;
  }

  take(draft: Draft): void {
    this.held.add(draft);
  }

  takeBack(draft: Draft): void {
    this.held.delete(draft);
  }

  costOf(drafts: readonly Draft[]): number {
    return drafts.reduce((sum, { good }) => sum + good.priceUsdPerHour, 0);
  }
}

test('of all plans that were drawn the cheapest holds, and nothing of the others', () => {
  const bin = aBin(1);
  const plans = [5, 3, 4, 6].map((price) => [aDraft(price, [[bin, 2]])]);
  const drawing = new Scripted(plans);
  const best = finish(bargain(drawing));
  expect(best).toBe(plans[1]);
  expect([...drawing.held]).toEqual(plans[1]);
});

test('a plan with fewer pods is no bargain', () => {
  const bin = aBin(1);
  const plans = [[aDraft(5, [[bin, 2]])], [aDraft(1, [[bin, 1]])]];
  expect(finish(bargain(new Scripted(plans)))).toBe(plans[0]);
});

test('pods become dearer where more was paid than they were worth, and cheaper where less was', () => {
  const [dear, cheap] = [aBin(1), aBin(1)];
  const plans = [[aDraft(4, [[dear, 2]]), aDraft(1, [[cheap, 2]])], []];
  const worths: number[] = [];
  const drawing = new Scripted(plans);
  for (const _ of bargain(drawing))
    if (drawing.drawn === 2 && worths.length === 0)
      worths.push(dear.worthUsdPerHour, cheap.worthUsdPerHour);
  expect(worths[0]).toBeGreaterThan(1);
  expect(worths[1]).toBeLessThan(1);
});

test('the more effort a plan takes, the fewer are drawn', () => {
  const drawing = new Scripted([[aDraft(1, [[aBin(1), 1]])]]);
  finish(bargain(drawing));
  expect(drawing.drawn).toBe(23);
});
