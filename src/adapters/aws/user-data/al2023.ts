import { parse, stringify } from 'yaml';
import { CloudError } from '../../../ports/cloud-provider.ts';
import { type Bootstrap, pairs } from './bootstrap.ts';
import { isMime, type MimePart, readMime, shellScript, writeMime } from './mime.ts';

const nodeConfigType = 'application/node.eks.aws';

/** A nodeadm configuration behind the user's own parts: nodeadm lets later documents win. */
export function al2023UserData(bootstrap: Bootstrap): string {
  return writeMime([
    ...userParts(bootstrap.userData),
    { contentType: nodeConfigType, content: nodeConfig(bootstrap) },
  ]);
}

function userParts(userData: string | undefined): readonly MimePart[] {
  if (userData === undefined || userData.trim() === '') return [];
  if (isMime(userData)) return readMime(userData);
  const contentType = isYamlMapping(userData) ? nodeConfigType : shellScript;
  return [{ contentType, content: userData }];
}

function isYamlMapping(text: string): boolean {
  try {
    const value: unknown = parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    // Whatever is not YAML is a script; nothing is lost by not knowing why.
    return false;
  }
}

function nodeConfig(bootstrap: Bootstrap): string {
  const { cluster, kubelet } = bootstrap;
  if (cluster.serviceCidr === undefined)
    throw new CloudError(
      'node-class-not-ready',
      'ClusterCIDRResolutionFailed',
      `preparing user data: the service range of cluster ${cluster.name} is unknown`,
    );
  const document = {
    apiVersion: 'node.eks.aws/v1alpha1',
    kind: 'NodeConfig',
    spec: {
      cluster: {
        name: cluster.name,
        apiServerEndpoint: cluster.endpoint,
        ...(cluster.caBundle === undefined ? {} : { certificateAuthority: cluster.caBundle }),
        cidr: cluster.serviceCidr,
      },
      ...(bootstrap.hasLocalRaid ? { instance: { localStorage: { strategy: 'RAID0' } } } : {}),
      kubelet: {
        config: {
          ...kubelet,
          maxPods: bootstrap.maxPods,
          ...(bootstrap.clusterDns.length > 0 ? { clusterDNS: bootstrap.clusterDns } : {}),
          registerWithTaints: bootstrap.taints.map(({ key, value, effect }) => ({
            key,
            ...(value === undefined ? {} : { value }),
            effect,
          })),
        },
        flags: [`--node-labels="${pairs(bootstrap.labels)}"`],
      },
    },
  };
  return `# Written by Karpenter\n${stringify(document, { lineWidth: 0, sortMapEntries: false })}`;
}
