import { type EC2NodeClass, ec2NodeClasses } from '../../api/karpenter/ec2-node-class.ts';
import { type NodeClaim, nodeClaims } from '../../api/karpenter/node-claim.ts';
import { type NodePool, nodePools } from '../../api/karpenter/node-pool.ts';
import {
  type DaemonSetObject,
  daemonSets,
  type NodeObject,
  nodes,
  type PodDisruptionBudgetObject,
  type PodObject,
  podDisruptionBudgets,
  pods,
  type VolumeAttachmentObject,
  volumeAttachments,
} from '../../api/kubernetes/core.ts';
import type { KubeObject, Resource } from '../../api/resource.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { createInformer, type Informer } from '../../runtime/informer.ts';
import type { KarpenterPorts } from '../ports.ts';

/** Everything that Karpenter watches. */
export interface Informers {
  readonly pods: Informer<PodObject>;
  readonly nodes: Informer<NodeObject>;
  readonly nodeClaims: Informer<NodeClaim>;
  readonly nodePools: Informer<NodePool>;
  readonly nodeClasses: Informer<EC2NodeClass>;
  readonly daemonSets: Informer<DaemonSetObject>;
  readonly budgets: Informer<PodDisruptionBudgetObject>;
  readonly volumeAttachments: Informer<VolumeAttachmentObject>;
}

/** Informers with the indexes that the loops ask by; none of them is started yet. */
export function createInformers(ports: KarpenterPorts): Informers {
  const informers: Informers = {
    pods: informerOf(ports, pods),
    nodes: informerOf(ports, nodes),
    nodeClaims: informerOf(ports, nodeClaims),
    nodePools: informerOf(ports, nodePools),
    nodeClasses: informerOf(ports, ec2NodeClasses),
    daemonSets: informerOf(ports, daemonSets),
    budgets: informerOf(ports, podDisruptionBudgets),
    volumeAttachments: informerOf(ports, volumeAttachments),
  };
  informers.pods.addIndex('node', (pod) => present(pod.spec.nodeName));
  informers.pods.addIndex('unbound', (pod) => (pod.spec.nodeName ? [] : ['yes']));
  informers.pods.addIndex('uid', (pod) => present(pod.metadata.uid));
  informers.nodes.addIndex('provider-id', (node) => present(node.spec?.providerID));
  informers.nodeClaims.addIndex('provider-id', (claim) => present(claim.status?.providerID));
  informers.nodeClaims.addIndex('instance-id', (claim) =>
    present(instanceIdOf(claim.status?.providerID)),
  );
  informers.nodeClaims.addIndex('pool', (claim) =>
    present(claim.metadata.labels?.[labels.nodePool]),
  );
  informers.nodeClaims.addIndex('node-class', (claim) => [claim.spec.nodeClassRef.name]);
  informers.nodePools.addIndex('node-class', (pool) => [pool.spec.template.spec.nodeClassRef.name]);
  informers.budgets.addIndex('namespace', (budget) => present(budget.metadata.namespace));
  informers.volumeAttachments.addIndex('node', (attachment) => [attachment.spec.nodeName]);
  return informers;
}

/** All of them, for what is done to each alike. */
export function everyInformer(informers: Informers): readonly Informer<KubeObject>[] {
  return Object.values(informers);
}

/** The Nodes of a claim: those that carry its provider id. More than one is a fault of the cloud. */
export function nodesOf(informers: Informers, claim: NodeClaim): readonly NodeObject[] {
  const providerId = claim.status?.providerID;
  return providerId === undefined ? [] : informers.nodes.by('provider-id', providerId);
}

/** The claim that a Node belongs to, if there is exactly one. */
export function claimOf(informers: Informers, node: NodeObject): NodeClaim | undefined {
  const providerId = node.spec?.providerID;
  if (providerId === undefined || providerId === '') return undefined;
  const claims = informers.nodeClaims.by('provider-id', providerId);
  return claims.length === 1 ? claims[0] : undefined;
}

/** `i-0abc` of `aws:///us-east-1a/i-0abc`. */
export function instanceIdOf(providerId: string | undefined): string | undefined {
  return providerId === undefined ? undefined : /:\/\/\/.*\/(.*)$/.exec(providerId)?.[1];
}

function informerOf<T extends KubeObject>(
  ports: KarpenterPorts,
  resource: Resource<T>,
): Informer<T> {
  const { kube: client, clock, log, random } = ports;
  return createInformer({ client, clock, log, random, resource });
}

function present(value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [value];
}
