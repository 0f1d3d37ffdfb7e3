import { describe, expect, test } from 'vitest';
import { parseDuration, parseTime } from './duration.ts';

describe('parseDuration', () => {
  test.each([
    { text: '720h', ms: 720 * 3_600_000 },
    { text: '1h30m', ms: 5_400_000 },
    { text: '30s', ms: 30_000 },
    { text: '0s', ms: 0 },
    { text: '1.5h', ms: 5_400_000 },
    { text: '300ms', ms: 300 },
    { text: '24h0m0s', ms: 86_400_000 },
    { text: 'Never', ms: Infinity },
    { text: '', ms: undefined },
    { text: '5', ms: undefined },
    { text: '5d', ms: undefined },
    { text: '-5m', ms: undefined },
    { text: '5 m', ms: undefined },
    { text: 'h', ms: undefined },
  ])('"$text" is $ms', ({ text, ms }) => {
    expect(parseDuration(text)).toBe(ms);
  });
});

test('a time that cannot be read is no time', () => {
  expect(parseTime('2026-03-02T09:00:00Z')).toBe(Date.UTC(2026, 2, 2, 9));
  expect(parseTime('soon')).toBeUndefined();
  expect(parseTime(undefined)).toBeUndefined();
});
