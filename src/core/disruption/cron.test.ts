import { describe, expect, test } from 'vitest';
import { nextHit, parseSchedule } from './cron.ts';

describe('the next hit of a schedule', () => {
  test.each([
    { schedule: '0 9 * * 1-5', after: '2026-03-02T08:59:59Z', hit: '2026-03-02T09:00:00Z' },
    { schedule: '0 9 * * 1-5', after: '2026-03-02T09:00:00Z', hit: '2026-03-03T09:00:00Z' },
    { schedule: '0 9 * * mon-FRI', after: '2026-03-06T10:00:00Z', hit: '2026-03-09T09:00:00Z' },
    { schedule: '*/15 * * * *', after: '2026-03-02T08:50:00Z', hit: '2026-03-02T09:00:00Z' },
    { schedule: '5/20 * * * ?', after: '2026-03-02T08:26:00Z', hit: '2026-03-02T08:45:00Z' },
    { schedule: '0 0 29 2 *', after: '2026-03-01T00:00:00Z', hit: '2028-02-29T00:00:00Z' },
    { schedule: '0 0 1 jan,Jul *', after: '2026-03-01T00:00:00Z', hit: '2026-07-01T00:00:00Z' },
    // Both day fields restricted: either will do.
    { schedule: '0 0 13 * 5', after: '2026-03-01T00:00:00Z', hit: '2026-03-06T00:00:00Z' },
    // One of them free: the other decides.
    { schedule: '0 0 13 * *', after: '2026-03-01T00:00:00Z', hit: '2026-03-13T00:00:00Z' },
    // A step restricts: every second day of the month or a Friday.
    { schedule: '0 0 */2 * 5', after: '2026-03-01T00:00:00Z', hit: '2026-03-03T00:00:00Z' },
    { schedule: '@hourly', after: '2026-03-02T08:10:00Z', hit: '2026-03-02T09:00:00Z' },
    { schedule: '@weekly', after: '2026-03-02T08:10:00Z', hit: '2026-03-08T00:00:00Z' },
    { schedule: '@monthly', after: '2026-03-02T08:10:00Z', hit: '2026-04-01T00:00:00Z' },
    { schedule: '@annually', after: '2026-03-02T08:10:00Z', hit: '2027-01-01T00:00:00Z' },
  ])('$schedule after $after is $hit', ({ schedule, after, hit }) => {
    const parsed = parseSchedule(schedule);
    expect(parsed && nextHit(parsed, Date.parse(after))).toBe(Date.parse(hit));
  });

  test('a day that never comes is never hit', () => {
    const parsed = parseSchedule('0 0 30 2 *');
    expect(parsed && nextHit(parsed, 0)).toBeUndefined();
  });
});

test.each([
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 7',
  '*/0 * * * *',
  '5-1 * * * *',
  'a * * * *',
  '@reboot',
  '1,,2 * * * *',
])('"%s" is no schedule', (text) => {
  expect(parseSchedule(text)).toBeUndefined();
});
