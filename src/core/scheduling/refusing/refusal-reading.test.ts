import { describe, expect, test } from 'vitest';
import { aDaemon, aPod, aPool, aSnapshot, aType } from '../../../../test/validator/builders.ts';
import type { Refusal } from '../../explain/reason.ts';
import { solve } from '../solve.ts';
import { reading } from './refusal.ts';

const types = Array.from({ length: 300 }, (_, index) =>
  aType({ name: `m5.${index}`, cpu: 2, memoryGi: 8, onDemandUsd: 0.1 }),
);
const snapshot = aSnapshot({
  pools: [aPool({ instanceTypes: types })],
  daemons: [aDaemon({ cpuMillis: 200 })],
});

/** The refusals of two pods, of one plan; nobody has read them yet. */
function unread(): readonly [Refusal, Refusal] {
  const pods = [1_900, 2_100].map((cpuMillis) => aPod({ name: `p${cpuMillis}`, cpuMillis }));
  const [first, second] = solve(snapshot, pods).unplaced;
  if (first === undefined || second === undefined) throw new Error('a pod found a place');
  return [first.refusal, second.refusal];
}

function plain(refusal: Refusal): unknown {
  return JSON.parse(JSON.stringify(refusal));
}

describe('a refusal that is read in steps', () => {
  const [one, other] = unread().map(plain);

  test('says the same as one that is read at once, and has nothing left to work out', () => {
    const [refusal] = unread();
    expect([...reading(refusal)].length).toBeGreaterThan(types.length / 64);
    expect([...reading(refusal)]).toEqual([]);
    expect(plain(refusal)).toEqual(one);
  });

  test('can be read at once in between', () => {
    const [refusal] = unread();
    const steps = reading(refusal);
    for (let step = 0; step < 3; step++) expect(steps.next().done).toBe(false);
    expect(plain(refusal)).toEqual(one);
    expect(steps.next().done).toBe(true);
  });

  test('leaves others of the same plan free to be read in between', () => {
    const [first, second] = unread();
    const steps = reading(first);
    for (let step = 0; step < 3; step++) steps.next();
    expect(plain(second)).toEqual(other);
    for (const step of steps) expect(step).toBeUndefined();
    expect(plain(first)).toEqual(one);
  });
});
