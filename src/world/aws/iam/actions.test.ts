import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  DeleteInstanceProfileCommand,
  GetInstanceProfileCommand,
  GetRoleCommand,
  ListInstanceProfilesCommand,
  ListInstanceProfilesForRoleCommand,
  RemoveRoleFromInstanceProfileCommand,
  TagInstanceProfileCommand,
  UntagInstanceProfileCommand,
} from '@aws-sdk/client-iam';
import { describe, expect, test } from 'vitest';
import { embeddedAws, refusalOf } from '../../../../test/aws-cli/embedded-aws.ts';

const RoleName = 'KarpenterNodeRole-demo';

describe('instance profiles', () => {
  test('are made, given a role, tagged, stripped and deleted', async () => {
    const { iam } = embeddedAws();
    const InstanceProfileName = 'demo_1';
    await iam.send(
      new CreateInstanceProfileCommand({
        InstanceProfileName,
        Path: '/karpenter/us-east-1/demo/uid/',
        Tags: [{ Key: 'a', Value: '1' }],
      }),
    );
    await iam.send(new AddRoleToInstanceProfileCommand({ InstanceProfileName, RoleName }));
    await iam.send(
      new TagInstanceProfileCommand({ InstanceProfileName, Tags: [{ Key: 'b', Value: '2' }] }),
    );
    await iam.send(new UntagInstanceProfileCommand({ InstanceProfileName, TagKeys: ['a'] }));
    const { InstanceProfile } = await iam.send(
      new GetInstanceProfileCommand({ InstanceProfileName }),
    );
    expect(InstanceProfile).toMatchObject({
      InstanceProfileName,
      Path: '/karpenter/us-east-1/demo/uid/',
      Arn: 'arn:aws:iam::123456789012:instance-profile/karpenter/us-east-1/demo/uid/demo_1',
      Roles: [{ RoleName, Arn: `arn:aws:iam::123456789012:role/${RoleName}` }],
      Tags: [{ Key: 'b', Value: '2' }],
    });
    const early = iam.send(new DeleteInstanceProfileCommand({ InstanceProfileName }));
    expect(await refusalOf(early)).toMatch(/^DeleteConflict/);
    await iam.send(new RemoveRoleFromInstanceProfileCommand({ InstanceProfileName, RoleName }));
    await iam.send(new DeleteInstanceProfileCommand({ InstanceProfileName }));
    const gone = iam.send(new GetInstanceProfileCommand({ InstanceProfileName }));
    expect(await refusalOf(gone)).toMatch(/^NoSuchEntity/);
  });

  test('refuse a second role, a second creation and an unknown role', async () => {
    const { iam } = embeddedAws();
    const InstanceProfileName = 'demo_1';
    await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName }));
    const again = iam.send(new CreateInstanceProfileCommand({ InstanceProfileName }));
    expect(await refusalOf(again)).toMatch(/^EntityAlreadyExists/);
    const unknown = iam.send(
      new AddRoleToInstanceProfileCommand({ InstanceProfileName, RoleName: 'x' }),
    );
    expect(await refusalOf(unknown)).toMatch(/^NoSuchEntity/);
    await iam.send(new AddRoleToInstanceProfileCommand({ InstanceProfileName, RoleName }));
    const second = iam.send(
      new AddRoleToInstanceProfileCommand({ InstanceProfileName, RoleName: 'demo-system-node' }),
    );
    expect(await refusalOf(second)).toMatch(/^LimitExceeded/);
  });

  test('are listed by path, by role, and page by page', async () => {
    const { iam } = embeddedAws();
    for (const name of ['c', 'a', 'b']) {
      await iam.send(
        new CreateInstanceProfileCommand({ InstanceProfileName: name, Path: '/karpenter/' }),
      );
    }
    await iam.send(new AddRoleToInstanceProfileCommand({ InstanceProfileName: 'b', RoleName }));
    const first = await iam.send(
      new ListInstanceProfilesCommand({ PathPrefix: '/karpenter/', MaxItems: 2 }),
    );
    expect(first.InstanceProfiles?.map((profile) => profile.InstanceProfileName)).toEqual([
      'a',
      'b',
    ]);
    expect(first.IsTruncated).toBe(true);
    const rest = await iam.send(
      new ListInstanceProfilesCommand({ PathPrefix: '/karpenter/', Marker: first.Marker }),
    );
    expect(rest.InstanceProfiles?.map((profile) => profile.InstanceProfileName)).toEqual(['c']);
    const ofRole = await iam.send(new ListInstanceProfilesForRoleCommand({ RoleName }));
    expect(ofRole.InstanceProfiles?.map((profile) => profile.InstanceProfileName)).toEqual(['b']);
  });
});

test('the roles of the cluster are there, and say who may take them', async () => {
  const { iam } = embeddedAws();
  const { Role } = await iam.send(new GetRoleCommand({ RoleName }));
  expect(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? '')).toContain('ec2.amazonaws.com');
  expect(await refusalOf(iam.send(new GetRoleCommand({ RoleName: 'x' })))).toMatch(/^NoSuchEntity/);
});
