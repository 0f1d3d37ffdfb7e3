import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount, parseQuantity } from './quantity.ts';

describe('parseQuantity in units', () => {
  test.each([
    { text: '0', units: 0 },
    { text: '29', units: 29 },
    { text: 29, units: 29 },
    { text: '1Ki', units: 1024 },
    { text: '1.5Gi', units: 1.5 * 2 ** 30 },
    { text: '1k', units: 1000 },
    { text: '12e6', units: 12_000_000 },
    { text: '1E', units: Number.MAX_SAFE_INTEGER },
    { text: '1E3', units: 1000 },
    { text: '.5M', units: 500_000 },
    { text: '5.', units: 5 },
    { text: '+7', units: 7 },
    { text: '100m', units: 1 },
    { text: '1500m', units: 2 },
    { text: '-1500m', units: -2 },
    { text: '-0', units: 0 },
  ])('$text is $units', ({ text, units }) => {
    expect(parseQuantity(text, 'units')).toBe(units);
  });
});

describe('parseAmount of cpu', () => {
  test.each([
    { text: '1', millis: 1000 },
    { text: '1000m', millis: 1000 },
    { text: '0.1', millis: 100 },
    { text: 0.5, millis: 500 },
    { text: '1u', millis: 1 },
    { text: '2k', millis: 2_000_000 },
  ])('$text is $millis thousandths', ({ text, millis }) => {
    expect(parseAmount('cpu', text)).toBe(millis);
  });
});

test.each(['', 'a', '1.2.3', '1 Gi', '1gi', '--1', 'm', '1KiB', '0x10', 'Infinity', 'NaN'])(
  '"%s" is no quantity and says so without throwing',
  (text) => {
    expect(parseQuantity(text, 'units')).toEqual({ kind: 'invalid-quantity', text });
  },
);

describe('formatAmount', () => {
  test.each([
    { resource: 'cpu', amount: 1930, text: '1930m' },
    { resource: 'cpu', amount: 4000, text: '4' },
    { resource: 'memory', amount: 6903 * 2 ** 20, text: '6903Mi' },
    { resource: 'memory', amount: 16 * 2 ** 30, text: '16Gi' },
    { resource: 'memory', amount: 0, text: '0' },
    { resource: 'memory', amount: 1000, text: '1000' },
    { resource: 'pods', amount: 1024, text: '1024' },
  ])('$amount of $resource is $text', ({ resource, amount, text }) => {
    expect(formatAmount(resource, amount)).toBe(text);
  });
});
