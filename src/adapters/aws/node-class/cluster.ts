import { DescribeClusterCommand } from '@aws-sdk/client-eks';
import { CloudError } from '../../../ports/cloud-provider.ts';
import { Remembered } from '../calls/expiring-map.ts';
import { type AwsContext, minuteMs } from '../context.ts';

/** What a new machine must know to find and trust its API server. */
export interface ClusterFacts {
  readonly name: string;
  readonly endpoint: string;
  readonly caBundle: string | undefined;
  /** `1.36`. */
  readonly version: string;
  /** Undefined when neither settings nor EKS know it; AL2023 cannot start without. */
  readonly serviceCidr: string | undefined;
}

/** Facts from the settings where they are given, else from EKS, asked at most every five minutes. */
export function createClusterFacts(context: AwsContext): () => Promise<ClusterFacts> {
  const known = new Remembered<ClusterFacts>(context.clock, 5 * minuteMs);
  return () => known.get('cluster', () => findFacts(context));
}

async function findFacts(context: AwsContext): Promise<ClusterFacts> {
  const { settings } = context;
  const { clusterEndpoint, clusterCaBundle, kubernetesVersion, serviceCidr } = settings;
  const name = settings.clusterName;
  if (clusterEndpoint && clusterCaBundle && kubernetesVersion && serviceCidr) {
    const [endpoint, caBundle, version] = [clusterEndpoint, clusterCaBundle, kubernetesVersion];
    return { name, endpoint, caBundle, version, serviceCidr };
  }
  const { cluster } = await context.caller.call(
    {
      service: 'eks',
      action: 'DescribeCluster',
      priority: 'describe',
      doing: `describing EKS cluster ${name}`,
      otherwise: 'ClusterNotFound',
    },
    (abortSignal) =>
      context.clients.eks.send(new DescribeClusterCommand({ name }), { abortSignal }),
  );
  const range = cluster?.kubernetesNetworkConfig;
  const version = kubernetesVersion ?? cluster?.version;
  const endpoint = clusterEndpoint ?? cluster?.endpoint;
  if (version === undefined || endpoint === undefined)
    throw new CloudError(
      'rejected',
      'ClusterNotReady',
      `describing EKS cluster ${name}: it has no endpoint yet; wait until it is ACTIVE`,
    );
  return {
    name,
    endpoint,
    caBundle: clusterCaBundle ?? cluster?.certificateAuthority?.data,
    version,
    serviceCidr: serviceCidr ?? range?.serviceIpv4Cidr ?? range?.serviceIpv6Cidr,
  };
}
