import { expect, test } from 'vitest';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import { createVirtualClock } from '../../system/virtual-clock.ts';
import { Gathering } from './gathering.ts';

const wish = {
  claim: {} as NodeClaim,
  nodeClass: {} as EC2NodeClass,
  signal: new AbortController().signal,
  spotLimitUsdPerHour: undefined,
};

function aGathering() {
  const clock = createVirtualClock(0);
  const purchases: number[] = [];
  const gathering = new Gathering<number>(clock, async () => purchases.push(clock.nowMs()));
  const join = (index: number, size = 3): Promise<number> =>
    gathering.join({ id: 'g', index, size }, wish);
  return { clock, purchases, join };
}

test('once all members have come, one purchase is made for them', async () => {
  const { clock, purchases, join } = aGathering();
  const joined = [join(0), join(1)];
  await clock.runFor(500);
  joined.push(join(2));
  await clock.runFor(0);
  expect(await Promise.all(joined)).toEqual([1, 1, 1]);
  expect(purchases).toEqual([500]);
});

test('members that never come are waited for no longer than a second after the last', async () => {
  const { clock, purchases, join } = aGathering();
  const joined = [join(0)];
  await clock.runFor(800);
  joined.push(join(1));
  await clock.runFor(5_000);
  await Promise.all(joined);
  expect(purchases).toEqual([1_800]);
});

test('who comes after the purchase asks anew', async () => {
  const { clock, purchases, join } = aGathering();
  const first = join(0, 1);
  await clock.runFor(0);
  await first;
  const second = join(0, 1);
  await clock.runFor(0);
  expect(await second).toBe(2);
  expect(purchases).toEqual([0, 0]);
});
