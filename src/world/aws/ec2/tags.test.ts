import { CreateTagsCommand, DeleteTagsCommand } from '@aws-sdk/client-ec2';
import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedAws, refusalOf } from '../../../../test/aws-cli/embedded-aws.ts';
import {
  createFleet,
  createTemplate,
  type Ground,
  instanceIds,
  listInstances,
  prepareGround,
  runInstances,
} from '../../../../test/aws-cli/launching.ts';

let ground: Ground;

beforeEach(async () => {
  ground = await prepareGround(embeddedAws());
});

describe('tags', () => {
  test('can be written, replaced and taken away', async () => {
    const { ec2 } = ground.aws;
    const Resources = [...(await runInstances(ground))];
    const tags = async (): Promise<unknown> => (await listInstances(ground))[0]?.Tags ?? [];
    await ec2.send(
      new CreateTagsCommand({
        Resources,
        Tags: [
          { Key: 'Name', Value: 'a' },
          { Key: 'x', Value: 'y' },
        ],
      }),
    );
    await ec2.send(
      new CreateTagsCommand({ Resources, Tags: [{ Key: 'Name', Value: '<b> & "c"' }] }),
    );
    expect(await tags()).toEqual([
      { Key: 'Name', Value: '<b> & "c"' },
      { Key: 'x', Value: 'y' },
    ]);
    await ec2.send(new DeleteTagsCommand({ Resources, Tags: [{ Key: 'x', Value: 'other' }] }));
    expect(await tags()).toHaveLength(2);
    await ec2.send(new DeleteTagsCommand({ Resources, Tags: [{ Key: 'x' }] }));
    expect(await tags()).toHaveLength(1);
  });

  test('an unknown resource is refused by its kind', async () => {
    const refusal = (resource: string): Promise<string> =>
      refusalOf(
        ground.aws.ec2.send(
          new CreateTagsCommand({ Resources: [resource], Tags: [{ Key: 'a', Value: 'b' }] }),
        ),
      );
    expect(await refusal('i-0123456789abcdef0')).toBe('InvalidInstanceID.NotFound');
    expect(await refusal('subnet-0123')).toBe('InvalidSubnetID.NotFound');
    expect(await refusal('banana')).toBe('InvalidID');
  });

  test('fleet instances keep their own ids through it all', async () => {
    await createTemplate(ground);
    const [id = ''] = instanceIds(await createFleet(ground, { types: ['m5.large'] }));
    await ground.aws.ec2.send(
      new CreateTagsCommand({
        Resources: [id],
        Tags: [{ Key: 'karpenter.sh/nodeclaim', Value: 'claim' }],
      }),
    );
    const found = await listInstances(ground, [
      { Name: 'tag:karpenter.sh/nodeclaim', Values: ['claim'] },
    ]);
    expect(found.map((instance) => instance.InstanceId)).toEqual([id]);
  });
});
