import { expect, test } from 'vitest';
import { finish } from '../../steps.ts';
import type { Drawing } from './bargaining.ts';
import type { Bin } from './bin.ts';
import type { Draft } from './drafting.ts';
import { bargainLoosely } from './loosening.ts';

const bin: Bin = {
  ...{ need: new Float64Array(1), size: 0, wish: 0, soloCap: Infinity, ports: [], queues: [] },
  ...{ worthUsdPerHour: 1, left: 0, first: 0 },
};

/** So many machines for ten pods in all, at one price for all of them. */
function planOf(priceUsdPerHour: number, machines: number, pods = 10): readonly Draft[] {
  const each = pods / machines;
  const load = { parts: [{ bin, pods: each }], pods: each };
  const good = { priceUsdPerHour: priceUsdPerHour / machines };
  return [{ load, good, times: machines } as unknown as Draft];
}

/** By cap, the one plan that is drawn for it; knows which drafts hold, and which caps were asked. */
class Caps {
  readonly held = new Set<Draft>();
  readonly asked: number[] = [];
  readonly #plans: ReadonlyMap<number, readonly Draft[]>;

  constructor(...plans: readonly (readonly [cap: number, plan: readonly Draft[]])[]) {
    this.#plans = new Map(plans);
  }

  *drawingWith(mostPods: number): Generator<void, Drawing> {
    this.asked.push(mostPods);
    const { held } = this;
    const plan = this.#plans.get(mostPods) ?? [];
    yield;
    return {
      *draw() {
        for (const draft of plan) held.add(draft);
        yield;
        return plan;
      },
      take: (draft) => held.add(draft),
      takeBack: (draft) => held.delete(draft),
      costOf: (drafts) =>
        drafts.reduce((sum, { good, times }) => sum + times * good.priceUsdPerHour, 0),
      effort: 50_000,
    };
  }

  choose(looserMost = 10, caution = 0.2): readonly Draft[] {
    const drawingWith = (mostPods: number) => this.drawingWith(mostPods);
    return finish(bargainLoosely({ drawingWith, mostPods: 5, looserMost, caution }));
  }
}

test('Nodes twice as full are taken where they save more than a fiftieth', () => {
  const [usual, loose] = [planOf(1, 2), planOf(0.979, 1)];
  const caps = new Caps([5, usual], [10, loose]);
  expect(caps.choose()).toBe(loose);
  expect([...caps.held]).toEqual(loose);
});

test('Nodes twice as full that save less are not, and nothing of them is held', () => {
  const [usual, loose] = [planOf(1, 2), planOf(0.981, 1)];
  const caps = new Caps([5, usual], [10, loose]);
  expect(caps.choose()).toBe(usual);
  expect([...caps.held]).toEqual(usual);
});

test('Nodes that are only a little fuller need to save only a little', () => {
  const [usual, loose] = [planOf(1, 2.5), planOf(0.994, 2)];
  expect(new Caps([5, usual], [10, loose]).choose()).toBe(loose);
});

test('The more caution, the more must fuller nodes save', () => {
  const [usual, loose] = [planOf(1, 2), planOf(0.95, 1)];
  const caps = new Caps([5, usual], [10, loose]);
  expect(caps.choose(10, 0.4)).toBe(loose);
  expect(caps.choose(10, 0.6)).toBe(usual);
});

test('A plan that leaves out pods is no bargain', () => {
  const usual = planOf(1, 2);
  expect(new Caps([5, usual], [10, planOf(0.5, 1, 9)]).choose()).toBe(usual);
});

test('Without a looser cap nothing is drawn twice', () => {
  const caps = new Caps([5, planOf(1, 2)]);
  caps.choose(5);
  expect(caps.asked).toEqual([5]);
});
