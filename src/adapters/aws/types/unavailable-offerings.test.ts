import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../system/virtual-clock.ts';
import { UnavailableOfferings } from './unavailable-offerings.ts';

const small = { capacityType: 'on-demand', instanceType: 'm5.large', cpuMillis: 2_000 } as const;
const zone = 'us-east-1a';

describe('a machine that exceeded a quota', () => {
  test.each([
    { what: 'a larger one', other: { instanceType: 'c7i.xlarge', cpuMillis: 4_000 }, is: true },
    { what: 'one of its size', other: { instanceType: 'r6a.large', cpuMillis: 2_000 }, is: true },
    { what: 'a smaller one', other: { instanceType: 'c8a.medium', cpuMillis: 1_000 }, is: false },
    { what: 'one bought as spot', other: { capacityType: 'spot' }, is: false },
    { what: 'one of another quota', other: { instanceType: 'g5.48xlarge' }, is: false },
  ] as const)('makes $what unavailable: $is', ({ other, is }) => {
    const offerings = new UnavailableOfferings(createVirtualClock(0));
    offerings.markOverQuota(small);
    expect(offerings.has({ ...small, zone, ...other })).toBe(is);
  });

  test('changes the version, and again when a smaller one exceeds it too', async () => {
    const clock = createVirtualClock(0);
    const offerings = new UnavailableOfferings(clock);
    offerings.markOverQuota(small);
    const before = offerings.version();
    offerings.markOverQuota({ ...small, instanceType: 'm5.xlarge', cpuMillis: 4_000 });
    expect(offerings.version()).toBe(before);
    offerings.markOverQuota({ ...small, instanceType: 'c8a.medium', cpuMillis: 1_000 });
    expect(offerings.version()).not.toBe(before);
    await clock.runFor(180_000);
    expect(offerings.has({ ...small, zone })).toBe(false);
  });
});
