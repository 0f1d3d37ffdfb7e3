import {
  CreateLaunchTemplateCommand,
  DeleteLaunchTemplateCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
} from '@aws-sdk/client-ec2';
import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedAws, refusalOf } from '../../../../test/aws-cli/embedded-aws.ts';
import {
  createTemplate,
  type Ground,
  prepareGround,
  userData,
} from '../../../../test/aws-cli/launching.ts';

let ground: Ground;

beforeEach(async () => {
  ground = await prepareGround(embeddedAws());
});

describe('launch templates', () => {
  test('can be found by name, id and tag', async () => {
    const id = await createTemplate(ground, 'one');
    await createTemplate(ground, 'two');
    const found = async (input: object): Promise<unknown> => {
      const answer = await ground.aws.ec2.send(new DescribeLaunchTemplatesCommand(input));
      return answer.LaunchTemplates?.map((template) => template.LaunchTemplateName).toSorted();
    };
    expect(await found({ LaunchTemplateNames: ['two'] })).toEqual(['two']);
    expect(await found({ LaunchTemplateIds: [id] })).toEqual(['one']);
    const Filters = [{ Name: 'tag:eks:eks-cluster-name', Values: ['demo'] }];
    expect(await found({ Filters })).toEqual(['one', 'two']);
    expect(await found({ Filters: [{ Name: 'tag-key', Values: ['nothing'] }] })).toEqual([]);
  });

  test('are answered in every detail that they were given', async () => {
    await createTemplate(ground, 'one');
    const { LaunchTemplateVersions } = await ground.aws.ec2.send(
      new DescribeLaunchTemplateVersionsCommand({
        LaunchTemplateName: 'one',
        Versions: ['$Latest'],
      }),
    );
    expect(LaunchTemplateVersions?.[0]).toMatchObject({
      VersionNumber: 1,
      DefaultVersion: true,
      LaunchTemplateData: {
        ImageId: ground.imageId,
        IamInstanceProfile: { Name: 'nodes' },
        UserData: Buffer.from(userData).toString('base64'),
        NetworkInterfaces: [{ DeviceIndex: 0, Groups: [ground.groupId] }],
        BlockDeviceMappings: [
          { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 30, Encrypted: true } },
        ],
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
        TagSpecifications: [
          { ResourceType: 'network-interface', Tags: [{ Key: 'eni', Value: 'yes' }] },
        ],
      },
    });
  });

  test('a name can be used once', async () => {
    await createTemplate(ground, 'one');
    expect(await refusalOf(createTemplate(ground, 'one'))).toBe(
      'InvalidLaunchTemplateName.AlreadyExistsException',
    );
  });

  test('missing ones have one error by name and another by id', async () => {
    const { ec2 } = ground.aws;
    const byName = ec2.send(new DescribeLaunchTemplatesCommand({ LaunchTemplateNames: ['none'] }));
    expect(await refusalOf(byName)).toBe('InvalidLaunchTemplateName.NotFoundException');
    const byId = ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId: 'lt-0' }));
    expect(await refusalOf(byId)).toBe('InvalidLaunchTemplateId.NotFound');
    await createTemplate(ground, 'one');
    const version = ec2.send(
      new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName: 'one', Versions: ['7'] }),
    );
    expect(await refusalOf(version)).toBe('InvalidLaunchTemplateId.VersionNotFound');
  });

  test('are gone after deletion', async () => {
    const LaunchTemplateId = await createTemplate(ground, 'one');
    await ground.aws.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId }));
    const answer = await ground.aws.ec2.send(new DescribeLaunchTemplatesCommand({}));
    expect(answer.LaunchTemplates).toEqual([]);
  });

  test('user data that no machine could take is refused at once', async () => {
    const UserData = Buffer.alloc(20_000).toString('base64');
    expect(await refusalOf(createTemplate(ground, 'one', { UserData }))).toBe(
      'InvalidParameterValue',
    );
  });

  test('a repeated client token gives the same template', async () => {
    const create = async (): Promise<string | undefined> => {
      const command = new CreateLaunchTemplateCommand({
        LaunchTemplateName: 'one',
        LaunchTemplateData: { ImageId: ground.imageId },
        ClientToken: 'token',
      });
      return (await ground.aws.ec2.send(command)).LaunchTemplate?.LaunchTemplateId;
    };
    expect(await create()).toBe(await create());
  });
});
