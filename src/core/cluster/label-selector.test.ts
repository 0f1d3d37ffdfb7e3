import { describe, expect, test } from 'vitest';
import type { LabelSelector } from './label-selector.ts';
import { selects } from './label-selector.ts';

const labels = { app: 'web', tier: 'front' };
const term = (
  key: string,
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist',
  ...values: readonly string[]
): LabelSelector => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }],
});

describe('a label selector', () => {
  test.each<{ name: string; selector: LabelSelector | undefined; isMatch: boolean }>([
    { name: 'that is missing takes nothing', selector: undefined, isMatch: false },
    { name: 'that is empty takes all', selector: {}, isMatch: true },
    { name: 'takes equal labels', selector: { matchLabels: { app: 'web' } }, isMatch: true },
    { name: 'refuses other values', selector: { matchLabels: { app: 'db' } }, isMatch: false },
    { name: 'takes a listed value', selector: term('app', 'In', 'db', 'web'), isMatch: true },
    { name: 'refuses an unlisted value', selector: term('app', 'In', 'db'), isMatch: false },
    { name: 'refuses a label that is not there', selector: term('x', 'In', 'y'), isMatch: false },
    { name: 'refuses an excluded value', selector: term('app', 'NotIn', 'web'), isMatch: false },
    { name: 'lets a missing label pass NotIn', selector: term('x', 'NotIn', 'y'), isMatch: true },
    { name: 'takes a label that is there', selector: term('app', 'Exists'), isMatch: true },
    { name: 'misses a label', selector: term('x', 'Exists'), isMatch: false },
    { name: 'refuses an unwanted label', selector: term('app', 'DoesNotExist'), isMatch: false },
    { name: 'takes the absence of a label', selector: term('x', 'DoesNotExist'), isMatch: true },
    {
      name: 'must be met in all its parts',
      selector: { matchLabels: { app: 'web' }, ...term('tier', 'In', 'back') },
      isMatch: false,
    },
  ])('$name', ({ selector, isMatch }) => {
    expect(selects(selector, labels)).toBe(isMatch);
  });

  test('sees no labels where an object has none', () => {
    expect(selects(term('app', 'DoesNotExist'), undefined)).toBe(true);
  });
});
