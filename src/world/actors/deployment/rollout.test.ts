import { describe, expect, test } from 'vitest';
import { proportionalStep, rollingStep, type SetSize, slackOf } from './rollout.ts';

function size(name: string, replicas: number, available = replicas): SetSize {
  return { name, replicas, available, createdAtMs: 0 };
}

describe('slackOf', () => {
  test.each([
    { name: 'a quarter each by default', shares: undefined, desired: 10, surge: 3, unavailable: 2 },
    {
      name: 'surge rounds up, unavailable down',
      shares: { maxSurge: '30%', maxUnavailable: '30%' },
      desired: 5,
      surge: 2,
      unavailable: 1,
    },
    {
      name: 'both zero lets one be missing',
      shares: { maxSurge: 0, maxUnavailable: 0 },
      desired: 4,
      surge: 0,
      unavailable: 1,
    },
    {
      name: 'no more missing than there are',
      shares: { maxSurge: 1, maxUnavailable: 9 },
      desired: 3,
      surge: 1,
      unavailable: 3,
    },
    { name: 'one replica surges by one', shares: undefined, desired: 1, surge: 1, unavailable: 0 },
  ])('$name', ({ shares, desired, surge, unavailable }) => {
    expect(slackOf(shares, desired)).toEqual({ surge, unavailable });
  });
});

describe('rollingStep', () => {
  const slack = { surge: 3, unavailable: 2 };
  test.each([
    {
      name: 'the new set grows by the surge first',
      fresh: size('new', 0),
      old: [size('old', 10)],
      step: { new: 3 },
    },
    {
      name: 'the old set shrinks once the new one cannot grow',
      fresh: size('new', 3, 0),
      old: [size('old', 10)],
      step: { old: 8 },
    },
    {
      name: 'room freed by the old set lets the new one grow',
      fresh: size('new', 3, 0),
      old: [size('old', 8)],
      step: { new: 5 },
    },
    {
      name: 'pods that never become ready hold the old ones up',
      fresh: size('new', 5, 0),
      old: [size('old', 8)],
      step: {},
    },
    {
      name: 'new pods that are missing keep even sick old ones',
      fresh: size('new', 5, 0),
      old: [size('old', 8, 6)],
      step: {},
    },
    {
      name: 'sick old pods go first',
      fresh: size('new', 3, 3),
      old: [size('a', 5, 5), size('b', 5, 3)],
      step: { a: 2, b: 3 },
    },
    {
      name: 'the last old pods go when the new set is complete',
      fresh: size('new', 10),
      old: [size('old', 3)],
      step: { old: 0 },
    },
    {
      name: 'a finished rollout stands still',
      fresh: size('new', 10),
      old: [size('old', 0)],
      step: {},
    },
    {
      name: 'too large a new set shrinks to what is desired',
      fresh: size('new', 12),
      old: [],
      step: { new: 10 },
    },
  ])('$name', ({ fresh, old, step }) => {
    expect(Object.fromEntries(rollingStep({ desired: 10, slack, fresh, old }))).toEqual(step);
  });
});

test('a changed number of replicas is spread in proportion over an unfinished rollout', () => {
  const step = proportionalStep([size('old', 8), size('new', 5)], 20, 6);
  expect(Object.fromEntries(step)).toEqual({ old: 16, new: 10 });
});
