import {
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import type { AwsClients } from '../../adapters/aws/calls/clients.ts';
import { type CustomResourceDefinition, customResourceDefinitions } from '../../api/crds.ts';
import { ec2NodeClasses } from '../../api/karpenter/ec2-node-class.ts';
import { nodePools } from '../../api/karpenter/node-pool.ts';
import { daemonSets, nodes, resource } from '../../api/kubernetes/core.ts';
import { deployments } from '../../api/kubernetes/workload.ts';
import { isTrue, type KubeObject, type NewObject, type Resource } from '../../api/resource.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import { isKubeError, type KubeClient } from '../../ports/kube.ts';
import { coreDns, nodeClass, nodeDaemons, pools, systemTaint } from './manifests.ts';

export interface SeedParts {
  readonly kube: KubeClient;
  readonly aws: AwsClients;
  readonly clock: Clock;
  readonly clusterName: string;
  readonly region: string;
  /** How long the system nodes may take to become ready; as long as they like when left out. */
  readonly patienceMs?: number | undefined;
  readonly apiServer: { readonly endpoint: string; readonly certificateAuthority: string };
  /** Our CRDs, as they are to be installed; v1 alone when left out. */
  readonly definitions?: readonly CustomResourceDefinition[] | undefined;
}

const crds: Resource<KubeObject> = resource(
  'apiextensions.k8s.io/v1/customresourcedefinitions',
  'CustomResourceDefinition',
  'cluster',
);

const systemNodeCount = 2;

/** Installs our CRDs, as the chart `karpenter-crd` would. Safe to repeat. */
export async function installCrds(
  kube: KubeClient,
  definitions: readonly CustomResourceDefinition[] = customResourceDefinitions(),
): Promise<void> {
  for (const crd of definitions) {
    await kube.patch(
      crds,
      { name: crd.metadata.name },
      {
        type: 'apply',
        body: crd,
        fieldManager: 'karpenter',
        force: true,
      },
    );
  }
}

/** Builds what eksctl builds: two tainted system nodes, cluster DNS, the daemons of every node. */
export async function seedCluster(parts: SeedParts, signal: AbortSignal): Promise<void> {
  await installCrds(parts.kube, parts.definitions);
  for (const daemon of nodeDaemons()) await ensure(parts.kube, daemonSets, daemon);
  await ensure(parts.kube, deployments, coreDns());
  await launchSystemNodes(parts);
  await untilReady(parts, signal);
}

/** Applies the EC2NodeClass and the two pools. */
export async function applyPools(kube: KubeClient, clusterName: string): Promise<void> {
  await ensure(kube, ec2NodeClasses, nodeClass(clusterName));
  for (const pool of pools()) await ensure(kube, nodePools, pool);
}

async function ensure<T extends KubeObject>(
  kube: KubeClient,
  kind: Resource<T>,
  object: NewObject<T>,
): Promise<void> {
  try {
    await kube.create(kind, object);
  } catch (error) {
    if (!isKubeError(error, 'already-exists')) throw error;
  }
}

async function launchSystemNodes({ aws, clusterName, apiServer }: SeedParts): Promise<void> {
  const discovery = [{ Name: 'tag:karpenter.sh/discovery', Values: [clusterName] }];
  const subnets = await aws.ec2.send(new DescribeSubnetsCommand({ Filters: discovery }));
  const groups = await aws.ec2.send(new DescribeSecurityGroupsCommand({ Filters: discovery }));
  const image = await aws.ssm.send(
    new GetParameterCommand({
      Name: '/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/x86_64/standard/recommended/image_id',
    }),
  );
  const subnetIds = (subnets.Subnets ?? []).map((subnet) => subnet.SubnetId ?? '').sort();
  const groupIds = (groups.SecurityGroups ?? []).map((group) => group.GroupId ?? '').sort();
  for (let index = 0; index < systemNodeCount; index++) {
    await aws.ec2.send(
      new RunInstancesCommand({
        ClientToken: `${clusterName}-system-${index}`,
        ImageId: image.Parameter?.Value,
        InstanceType: 't3.medium',
        MinCount: 1,
        MaxCount: 1,
        SubnetId: subnetIds[index % subnetIds.length],
        SecurityGroupIds: groupIds,
        UserData: Buffer.from(systemUserData(clusterName, apiServer)).toString('base64'),
        TagSpecifications: [
          {
            ResourceType: 'instance',
            Tags: [
              { Key: 'Name', Value: `${clusterName}-system` },
              { Key: 'eks:cluster-name', Value: clusterName },
              { Key: 'eks:nodegroup-name', Value: 'system' },
            ],
          },
        ],
      }),
    );
  }
}

function systemUserData(clusterName: string, apiServer: SeedParts['apiServer']): string {
  const config = {
    apiVersion: 'node.eks.aws/v1alpha1',
    kind: 'NodeConfig',
    spec: {
      cluster: {
        name: clusterName,
        apiServerEndpoint: apiServer.endpoint,
        certificateAuthority: apiServer.certificateAuthority,
        cidr: '10.100.0.0/16',
      },
      kubelet: {
        config: { maxPods: 17, registerWithTaints: [systemTaint] },
        flags: [
          '--node-labels=eks.amazonaws.com/nodegroup=system,eks.amazonaws.com/capacityType=ON_DEMAND',
        ],
      },
    },
  };
  return [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="//"',
    '',
    '--//',
    'Content-Type: application/node.eks.aws',
    '',
    JSON.stringify(config),
    '--//--',
    '',
  ].join('\n');
}

async function untilReady(parts: SeedParts, signal: AbortSignal): Promise<void> {
  const { kube, clock, patienceMs = Number.POSITIVE_INFINITY } = parts;
  const deadlineMs = clock.nowMs() + patienceMs;
  for (;;) {
    const { items } = await kube.list(nodes);
    const ready = items.filter((node) => isTrue(node, 'Ready')).length;
    if (ready >= systemNodeCount) return;
    if (clock.nowMs() >= deadlineMs)
      throw new Error(
        `waited ${patienceMs / 1000} s for ${systemNodeCount} system nodes: ${ready} are ready; a higher --speed boots them sooner`,
      );
    await sleep(clock, 200, signal);
  }
}
