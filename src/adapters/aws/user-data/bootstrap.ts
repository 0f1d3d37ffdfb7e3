import type { AmiFamily, EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import { labels, taintKeys } from '../../../core/requirements/well-known.ts';
import type { ClusterFacts } from '../node-class/cluster.ts';

export type Taint = NonNullable<NodeClaim['spec']['taints']>[number];
export type Kubelet = NonNullable<EC2NodeClass['spec']['kubelet']>;

/** What a machine must be told so that it joins the cluster as the Node that was planned. */
export interface Bootstrap {
  readonly family: AmiFamily;
  readonly cluster: ClusterFacts;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly maxPods: number;
  readonly kubelet: Kubelet;
  /** Addresses of the cluster's name service; empty leaves it to the image. */
  readonly clusterDns: readonly string[];
  readonly hasLocalRaid: boolean;
  /** Of the image, `1.51.0` or `latest`, where the family tells it. */
  readonly imageVersion?: string | undefined;
  /** The user's own text, which comes first. */
  readonly userData: string | undefined;
}

/**
 * Labels that kubelet may set on its own Node. Those of Kubernetes' own domains are refused by
 * the API server's admission, and are set by the cloud and by us after registration.
 */
export function nodeLabels(options: {
  readonly claim: NodeClaim;
  readonly capacityType: string;
  readonly family: AmiFamily;
}): Readonly<Record<string, string>> {
  const all: Record<string, string> = {
    ...options.claim.metadata.labels,
    [labels.capacityType]: options.capacityType,
    ...(options.family === 'Custom' ? {} : { [labels.doNotSyncTaints]: 'true' }),
  };
  return Object.fromEntries(
    Object.entries(all)
      .filter(([key]) => !isReserved(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The claim's taints, and the one that keeps pods away until we have seen the Node. */
export function nodeTaints(claim: NodeClaim): readonly Taint[] {
  const taints = [...(claim.spec.taints ?? []), ...(claim.spec.startupTaints ?? [])];
  if (taints.some((taint) => taint.key === taintKeys.unregistered)) return taints;
  return [...taints, { key: taintKeys.unregistered, effect: 'NoExecute' }];
}

const reservedDomains = ['kubernetes.io', 'k8s.io', 'node-restriction.kubernetes.io'];

function isReserved(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return false;
  const domain = key.slice(0, slash);
  return reservedDomains.some((one) => domain === one || domain.endsWith(`.${one}`));
}

/** `a=1,b=2`, by key. */
export function pairs(map: Readonly<Record<string, string>>, separator = '='): string {
  return Object.entries(map)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}${separator}${value}`)
    .join(',');
}

/** `key=value:Effect`, as kubelet's flags write it. */
export function taintText(taint: Taint): string {
  return `${taint.key}=${taint.value ?? ''}:${taint.effect}`;
}
