import { describe, expect, test } from 'vitest';
import { age, humanDuration } from './human-duration.ts';

const [second, minute, hour, day] = [1, 60, 3_600, 86_400];

describe('humanDuration', () => {
  test.each([
    { seconds: -5, shows: '<invalid>' },
    { seconds: -1, shows: '0s' },
    { seconds: 0, shows: '0s' },
    { seconds: 119, shows: '119s' },
    { seconds: 2 * minute, shows: '2m' },
    { seconds: 9 * minute + 59 * second, shows: '9m59s' },
    { seconds: 10 * minute + 1, shows: '10m' },
    { seconds: 179 * minute, shows: '179m' },
    { seconds: 3 * hour, shows: '3h' },
    { seconds: 7 * hour + 59 * minute, shows: '7h59m' },
    { seconds: 8 * hour + minute, shows: '8h' },
    { seconds: 47 * hour, shows: '47h' },
    { seconds: 2 * day, shows: '2d' },
    { seconds: 7 * day + 23 * hour, shows: '7d23h' },
    { seconds: 8 * day + hour, shows: '8d' },
    { seconds: 729 * day, shows: '729d' },
    { seconds: 730 * day, shows: '2y' },
    { seconds: 3 * 365 * day + 5 * day, shows: '3y5d' },
    { seconds: 8 * 365 * day + 5 * day, shows: '8y' },
  ])('$seconds s is $shows', ({ seconds, shows }) => {
    expect(humanDuration(seconds * 1_000)).toBe(shows);
  });
});

describe('age', () => {
  const nowMs = Date.parse('2026-11-16T10:00:00Z');
  test.each([
    { timestamp: '2026-11-16T09:58:30Z', shows: '90s' },
    { timestamp: '', shows: '<unknown>' },
    { timestamp: 'never', shows: '<invalid>' },
  ])('of "$timestamp" is $shows', ({ timestamp, shows }) => {
    expect(age(timestamp, nowMs)).toBe(shows);
  });
});
