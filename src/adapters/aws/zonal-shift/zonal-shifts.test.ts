import { describe, expect, test } from 'vitest';
import { typesUnderTest } from '../../../../test/aws-cli/types-under-test.ts';
import { createVirtualClock } from '../../system/virtual-clock.ts';
import { createZonalShifts, ShiftBook } from './zonal-shifts.ts';

const hourMs = 3_600_000;

describe('the shifts of a cluster', () => {
  function setUp(isZonalShiftEnabled = true) {
    const under = typesUnderTest({ settings: { isZonalShiftEnabled } });
    const shifts = createZonalShifts(under.context);
    return { ...under, shifts, refresh: () => under.settle(shifts.refresh()) };
  }

  test('are read from ARC every half minute', async () => {
    const { aws, shifts, refresh } = setUp();
    await refresh();
    expect(shifts.isShifted('ape1-az1')).toBe(false);
    const { market } = aws.endpoint;
    market.setZonalShift('ape1-az1', aws.clock.nowMs() + hourMs);
    await aws.clock.runFor(30_000);
    await refresh();
    await aws.clock.runFor(1);
    expect(shifts.isShifted('ape1-az1')).toBe(true);
    expect(shifts.isShifted('ape1-az2')).toBe(false);
    market.setZonalShift('ape1-az1', undefined);
    await aws.clock.runFor(30_000);
    await refresh();
    await aws.clock.runFor(1);
    expect(shifts.isShifted('ape1-az1')).toBe(false);
  });

  test('are not asked for unless the settings want it', async () => {
    const { aws, shifts, refresh } = setUp(false);
    aws.endpoint.market.setZonalShift('ape1-az1', aws.clock.nowMs() + hourMs);
    await refresh();
    expect(shifts.isShifted('ape1-az1')).toBe(false);
  });

  test('are none for a cluster that ARC does not know, and the log says so', async () => {
    const under = typesUnderTest({ settings: { isZonalShiftEnabled: true, clusterName: 'other' } });
    const shifts = createZonalShifts(under.context);
    await under.settle(shifts.refresh());
    expect(shifts.version()).toBe('');
    expect(under.lines.map(({ fields }) => fields.what)).toContain('zonal shifts');
  });
});

describe('what was heard of shifts', () => {
  const shift = (zoneId: string, expiresAtMs: number, isApplied = true) => ({
    ...{ zoneId, expiresAtMs, isApplied },
  });

  test('holds until the shift expires, through answers that name others', async () => {
    const clock = createVirtualClock(0);
    const book = new ShiftBook(clock);
    book.note([shift('az1', 1_000), shift('az3', 9_000, false)]);
    book.note([shift('az2', 5_000)]);
    expect(book.shifted()).toEqual(['az1', 'az2']);
    await clock.runFor(1_000);
    expect(book.shifted()).toEqual(['az2']);
  });

  test('ends with an empty answer', () => {
    const book = new ShiftBook(createVirtualClock(0));
    book.note([shift('az1', 1_000)]);
    book.note([]);
    expect(book.shifted()).toEqual([]);
  });
});
