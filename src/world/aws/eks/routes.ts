import type { Cloud } from '../cloud.ts';
import { stableDigits } from '../stable-id.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { ServiceCall } from '../wire/service-call.ts';
import { epochSeconds } from '../wire/times.ts';

/** EKS: one cluster, ACTIVE from the start. */
export function eksRoutes(
  cloud: Cloud,
): (call: ServiceCall) => { readonly action: string; readonly run: () => object } | undefined {
  return ({ method, path }) => {
    if (method !== 'GET') return undefined;
    if (path === '/clusters') {
      return { action: 'ListClusters', run: () => ({ clusters: [cloud.cluster().name] }) };
    }
    const name = /^\/clusters\/([^/]+)$/.exec(path)?.[1];
    if (name === undefined) return undefined;
    return {
      action: 'DescribeCluster',
      run: () => describeCluster(cloud, decodeURIComponent(name)),
    };
  };
}

function describeCluster(cloud: Cloud, name: string): object {
  const cluster = cloud.cluster();
  if (name !== cluster.name) {
    throw new AwsError('ResourceNotFoundException', `No cluster found for name: ${name}.`, {
      status: 404,
    });
  }
  const account = cloud.account();
  const controlPlaneGroup = account.securityGroups.find((group) => group.name.startsWith('eks-'));
  const issuerId = stableDigits(`oidc/${cluster.name}`, 32).toUpperCase();
  return {
    cluster: {
      name: cluster.name,
      arn: `arn:aws:eks:${cloud.region}:${account.id}:cluster/${cluster.name}`,
      createdAt: epochSeconds(cloud.startedAtMs),
      version: cluster.version,
      endpoint: cluster.endpoint,
      roleArn: account.roles.find((role) => role.trustedService === 'eks.amazonaws.com')?.arn,
      resourcesVpcConfig: {
        subnetIds: account.subnets.map((subnet) => subnet.id),
        securityGroupIds: [],
        clusterSecurityGroupId: controlPlaneGroup?.id,
        vpcId: account.vpc.id,
        endpointPublicAccess: true,
        endpointPrivateAccess: true,
        publicAccessCidrs: ['0.0.0.0/0'],
      },
      kubernetesNetworkConfig: { serviceIpv4Cidr: cluster.serviceIpv4Cidr, ipFamily: 'ipv4' },
      identity: {
        oidc: { issuer: `https://oidc.eks.${cloud.region}.amazonaws.com/id/${issuerId}` },
      },
      status: 'ACTIVE',
      certificateAuthority: { data: cluster.certificateAuthority },
      platformVersion: 'eks.1',
      tags: {},
      health: { issues: [] },
      accessConfig: { authenticationMode: 'API_AND_CONFIG_MAP' },
    },
  };
}
