import { DescribeLaunchTemplatesCommand, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import type { AwsClients } from '../../adapters/aws/calls/clients.ts';
import { nodeClaims } from '../../api/karpenter/node-claim.ts';
import { nodes, type PodObject, pods } from '../../api/kubernetes/core.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { KubeClient } from '../../ports/kube.ts';

/** Everything that Karpenter made and that should be gone when nobody needs it. */
export interface Census {
  readonly instances: readonly string[];
  readonly claims: readonly string[];
  readonly nodes: readonly string[];
  readonly launchTemplates: readonly string[];
  readonly orphanPods: readonly string[];
}

/** Asks the cluster and the cloud what is there now. */
export async function takeCensus(kube: KubeClient, aws: AwsClients): Promise<Census> {
  const nodeList = (await kube.list(nodes)).items;
  const nodeNames = new Set(nodeList.map((node) => node.metadata.name));
  const podList = (await kube.list(pods)).items;
  const claims = (await kube.list(nodeClaims)).items.map((claim) => claim.metadata.name);
  return {
    instances: await liveInstances(aws),
    claims,
    nodes: nodeList
      .filter((node) => node.metadata.labels?.[labels.nodePool] !== undefined)
      .map((node) => node.metadata.name),
    launchTemplates: await launchTemplateNames(aws),
    orphanPods: podList
      .filter((pod) => !isDaemon(pod) && pod.spec.nodeName !== undefined)
      .filter((pod) => !nodeNames.has(pod.spec.nodeName ?? ''))
      .map((pod) => `${pod.metadata.namespace}/${pod.metadata.name}`),
  };
}

/** What is left, in words; empty when nothing is. */
export function leftovers(census: Census): readonly string[] {
  const counts: readonly (readonly [string, readonly string[]])[] = [
    ['instance', census.instances],
    ['claim', census.claims],
    ['node', census.nodes],
    ['launch template', census.launchTemplates],
    ['pod on a node that is gone', census.orphanPods],
  ];
  return counts
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${names.length} × ${what}: ${names.slice(0, 5).join(', ')}`);
}

/** Daemon pods of a node that is gone are removed by Kubernetes itself, within a minute or so. */
function isDaemon(pod: PodObject): boolean {
  return pod.metadata.ownerReferences?.some((owner) => owner.kind === 'DaemonSet') ?? false;
}

async function liveInstances(aws: AwsClients): Promise<readonly string[]> {
  const filters = [
    { Name: 'tag-key', Values: [labels.nodePool] },
    {
      Name: 'instance-state-name',
      Values: ['pending', 'running', 'stopping', 'stopped', 'shutting-down'],
    },
  ];
  const ids: string[] = [];
  for await (const page of paginateDescribeInstances({ client: aws.ec2 }, { Filters: filters })) {
    for (const reservation of page.Reservations ?? []) {
      for (const instance of reservation.Instances ?? []) ids.push(instance.InstanceId ?? '');
    }
  }
  return ids.sort();
}

async function launchTemplateNames(aws: AwsClients): Promise<readonly string[]> {
  const answer = await aws.ec2.send(new DescribeLaunchTemplatesCommand({}));
  return (answer.LaunchTemplates ?? []).map((template) => template.LaunchTemplateName ?? '').sort();
}
