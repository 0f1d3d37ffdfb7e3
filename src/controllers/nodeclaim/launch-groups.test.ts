import { expect, test } from 'vitest';
import { createSeededRandom } from '../../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../../adapters/system/virtual-clock.ts';
import { launchGroupAnnotation, launchGroupOf } from '../../api/karpenter/launch-group.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { plannedPodsAnnotation } from '../../api/karpenter/planned-pods.ts';
import { LaunchGroups } from './launch-groups.ts';

function aClaim(uid: string, cpu = '1'): NodeClaim {
  return {
    metadata: { name: `claim-${uid}`, uid, labels: { 'karpenter.sh/nodepool': 'web' } },
    spec: {
      requirements: [],
      resources: { requests: { cpu } },
      nodeClassRef: { group: 'g', kind: 'k', name: 'n' },
    },
  };
}

async function grouped(claims: readonly NodeClaim[], gapMs = 0) {
  const clock = createVirtualClock(0);
  const groups = new LaunchGroups({ clock, random: createSeededRandom(1) });
  const joined: Promise<string | undefined>[] = [];
  for (const claim of claims) {
    joined.push(groups.join(claim));
    await clock.runFor(gapMs);
  }
  await clock.runFor(2_000);
  const texts = await Promise.all(joined);
  return claims.map((claim, i) =>
    launchGroupOf({
      ...claim,
      metadata: { ...claim.metadata, annotations: { [launchGroupAnnotation]: texts[i] ?? '' } },
    }),
  );
}

test('claims that ask for the same at the same moment are one group, in the order of their uids', async () => {
  const groups = await grouped(['c', 'a', 'b'].map((uid) => aClaim(uid)));
  expect(new Set(groups.map((group) => group?.id)).size).toBe(1);
  expect(groups.map((group) => `${group?.index}/${group?.size}`)).toEqual(['2/3', '0/3', '1/3']);
});

test('claims for different pods are one group all the same', async () => {
  const groups = await grouped(
    ['a', 'b'].map((uid) => {
      const claim = aClaim(uid);
      const annotations = { [plannedPodsAnnotation]: `pod-of-${uid}` };
      return { ...claim, metadata: { ...claim.metadata, annotations } };
    }),
  );
  expect(groups.map((group) => group?.size)).toEqual([2, 2]);
});

test('a claim that asks for something else is in none', async () => {
  const groups = await grouped([aClaim('a'), aClaim('b'), aClaim('c', '2')]);
  expect(groups.map((group) => group?.size)).toEqual([2, 2, undefined]);
});

test('a claim that comes later is in none', async () => {
  expect(await grouped([aClaim('a'), aClaim('b')], 200)).toEqual([undefined, undefined]);
});

test('claims that keep coming wait for each other no longer than a second', async () => {
  const groups = await grouped(
    Array.from({ length: 30 }, (_, i) => aClaim(`u${i}`)),
    50,
  );
  expect(groups[0]?.size).toBeLessThan(25);
  expect(groups[0]?.id).not.toBe(groups[29]?.id);
});

test('a group has a hundred members at most', async () => {
  const groups = await grouped(Array.from({ length: 150 }, (_, i) => aClaim(`u${i}`)));
  expect([...new Set(groups.map((group) => group?.size))].sort()).toEqual([100, 50]);
});
