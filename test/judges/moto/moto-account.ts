import {
  CreateTagsCommand,
  DescribeImagesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
} from '@aws-sdk/client-ec2';
import { CreateClusterCommand } from '@aws-sdk/client-eks';
import { CreateRoleCommand } from '@aws-sdk/client-iam';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { type AwsClients, createAwsClients } from '../../../src/adapters/aws/calls/clients.ts';
import type { EC2NodeClass } from '../../../src/api/karpenter/ec2-node-class.ts';

export const clusterName = 'judged';
export const region = 'us-east-1';
export const parameter = '/images/nodes';

export interface MotoAccount {
  readonly clients: AwsClients;
  readonly nodeClass: EC2NodeClass;
}

/** Prepares an account as an owner of a cluster would: network tags, role, cluster, queue, image parameter. */
export async function prepareAccount(endpoint: string): Promise<MotoAccount> {
  process.env.AWS_ACCESS_KEY_ID = 'testing';
  process.env.AWS_SECRET_ACCESS_KEY = 'testing';
  const clients = createAwsClients({ region, endpoint });
  const { ec2, iam, eks, sqs, ssm } = clients;
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}));
  const ids = [...Subnets.map(({ SubnetId }) => SubnetId), SecurityGroups[0]?.GroupId];
  await ec2.send(
    new CreateTagsCommand({
      Resources: ids.map(String),
      Tags: [{ Key: 'karpenter.sh/discovery', Value: clusterName }],
    }),
  );
  const role = `KarpenterNodeRole-${clusterName}`;
  const created = await iam.send(
    new CreateRoleCommand({ RoleName: role, AssumeRolePolicyDocument: '{}' }),
  );
  await eks.send(
    new CreateClusterCommand({
      name: clusterName,
      roleArn: created.Role?.Arn,
      resourcesVpcConfig: { subnetIds: Subnets.map(({ SubnetId }) => String(SubnetId)) },
    }),
  );
  await sqs.send(new CreateQueueCommand({ QueueName: clusterName }));
  const image = await anImage(clients);
  await ssm.send(new PutParameterCommand({ Name: parameter, Value: image, Type: 'String' }));
  return { clients, nodeClass: aNodeClass(role) };
}

async function anImage({ ec2 }: AwsClients): Promise<string> {
  const Filters = [{ Name: 'architecture', Values: ['x86_64'] }];
  const { Images = [] } = await ec2.send(new DescribeImagesCommand({ Filters }));
  const linux = Images.filter(({ Platform }) => Platform !== 'Windows');
  return linux.map(({ ImageId = '' }) => ImageId).sort()[0] ?? '';
}

function aNodeClass(role: string): EC2NodeClass {
  const discovery = { tags: { 'karpenter.sh/discovery': clusterName } };
  return {
    metadata: { name: 'default', uid: 'class-1', generation: 1 },
    spec: {
      subnetSelectorTerms: [discovery],
      securityGroupSelectorTerms: [discovery],
      amiFamily: 'AL2023',
      amiSelectorTerms: [{ ssmParameter: parameter }],
      role,
    },
  };
}
