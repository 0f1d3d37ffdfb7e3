import { ListInstanceProfilesCommand } from '@aws-sdk/client-iam';
import { expect, test } from 'vitest';
import { aNodeClass, cloudUnderTest } from '../../../../test/aws-cli/cloud-under-test.ts';

const hourMs = 3_600_000;

test('a profile that nobody uses is deleted, but not within the hour of its making', async () => {
  const { provider, settle, aws, clock } = cloudUnderTest();
  const first = await settle(provider.resolve(aNodeClass()));
  const other = aNodeClass({ role: 'demo-system-node' });
  const second = await settle(provider.resolve(other));
  const used = new Set([second.status.instanceProfile ?? '']);
  expect(await settle(provider.collectInstanceProfiles(used))).toEqual([]);
  await clock.runFor(hourMs + 60_000);
  expect(await settle(provider.collectInstanceProfiles(used))).toEqual([
    first.status.instanceProfile,
  ]);
  const PathPrefix = '/karpenter/';
  const { InstanceProfiles = [] } = await aws.iam.send(
    new ListInstanceProfilesCommand({ PathPrefix }),
  );
  expect(InstanceProfiles.map((profile) => profile.InstanceProfileName)).toEqual([...used]);
});
