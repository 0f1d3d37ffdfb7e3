import { claimNames } from '../../api/decode/volumes.ts';
import { type CapacityBuffer, capacityBuffers } from '../../api/karpenter/capacity-buffer.ts';
import { type EC2NodeClass, ec2NodeClasses } from '../../api/karpenter/ec2-node-class.ts';
import { type NodeClaim, nodeClaims } from '../../api/karpenter/node-claim.ts';
import { type NodeOverlay, nodeOverlays } from '../../api/karpenter/node-overlay.ts';
import { type NodePool, nodePools } from '../../api/karpenter/node-pool.ts';
import {
  type DaemonSetObject,
  daemonSets,
  type NamespaceObject,
  type NodeObject,
  namespaces,
  nodes,
  type PodDisruptionBudgetObject,
  type PodObject,
  podDisruptionBudgets,
  pods,
  type ServiceObject,
  services,
  type VolumeAttachmentObject,
  volumeAttachments,
} from '../../api/kubernetes/core.ts';
import {
  type CsiNodeObject,
  csiNodes,
  type StorageClassObject,
  storageClasses,
  type VolumeClaimObject,
  type VolumeObject,
  volumeClaims,
  volumes,
} from '../../api/kubernetes/volume.ts';
import type { KubeObject, Resource } from '../../api/resource.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { createInformer, type Informer } from '../../runtime/informer.ts';
import { defaultGates, type FeatureGates } from '../feature-gates.ts';
import type { KarpenterPorts } from '../ports.ts';
import { daemonSetUids } from './daemon-views.ts';
import {
  createPodProjection,
  projectNode,
  projectService,
  withoutFieldOwners,
} from './projection.ts';

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
  readonly volumeClaims: Informer<VolumeClaimObject>;
  readonly volumes: Informer<VolumeObject>;
  readonly storageClasses: Informer<StorageClassObject>;
  readonly csiNodes: Informer<CsiNodeObject>;
  readonly namespaces: Informer<NamespaceObject>;
  /** Only where the kube-scheduler spreads pods by default: they say who belongs together. */
  readonly services?: Informer<ServiceObject>;
  /** Only where its feature gate is open: else its definition need not even exist. */
  readonly nodeOverlays?: Informer<NodeOverlay>;
  /** Likewise. */
  readonly capacityBuffers?: Informer<CapacityBuffer>;
}

type InformerPorts = Pick<KarpenterPorts, 'kube' | 'clock' | 'log' | 'random'>;

/** What is watched in some clusters only. */
export interface InformerWishes extends Pick<FeatureGates, 'nodeOverlay' | 'capacityBuffer'> {
  readonly services?: boolean;
}

/** Informers with the indexes that the loops ask by; none of them is started yet. */
export function createInformers(
  ports: InformerPorts,
  wishes: InformerWishes = defaultGates,
): Informers {
  const informers: Informers = {
    pods: informerOf(ports, pods, createPodProjection()),
    nodes: informerOf(ports, nodes, projectNode),
    nodeClaims: informerOf(ports, nodeClaims),
    nodePools: informerOf(ports, nodePools),
    nodeClasses: informerOf(ports, ec2NodeClasses),
    daemonSets: informerOf(ports, daemonSets),
    budgets: informerOf(ports, podDisruptionBudgets),
    volumeAttachments: informerOf(ports, volumeAttachments),
    volumeClaims: informerOf(ports, volumeClaims),
    volumes: informerOf(ports, volumes),
    storageClasses: informerOf(ports, storageClasses),
    csiNodes: informerOf(ports, csiNodes),
    namespaces: informerOf(ports, namespaces),
    ...(wishes.services === true ? { services: servicesOf(ports) } : {}),
    ...(wishes.nodeOverlay ? { nodeOverlays: informerOf(ports, nodeOverlays) } : {}),
    ...(wishes.capacityBuffer ? { capacityBuffers: informerOf(ports, capacityBuffers) } : {}),
  };
  addIndexes(informers);
  return informers;
}

function addIndexes(informers: Informers): void {
  informers.pods.addIndex('node', (pod) => present(pod.spec.nodeName));
  informers.pods.addIndex('unbound', (pod) => (pod.spec.nodeName ? [] : ['yes']));
  informers.pods.addIndex('daemon-set', daemonSetUids);
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
  informers.pods.addIndex('claim', (pod) =>
    claimNames(pod).map((name) => `${pod.metadata.namespace}/${name}`),
  );
  if (informers.services !== undefined) {
    informers.services.addIndex('namespace', ({ metadata }) => present(metadata.namespace));
    informers.pods.addIndex('namespace', ({ metadata }) => present(metadata.namespace));
  }
  informers.volumeClaims.addIndex('volume', (claim) => present(claim.spec?.volumeName));
  informers.volumeClaims.addIndex('class', (claim) => present(claim.spec?.storageClassName));
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
  ports: InformerPorts,
  resource: Resource<T>,
  project: (object: T) => T = withoutFieldOwners,
): Informer<T> {
  const { kube: client, clock, log, random } = ports;
  return createInformer({ client, clock, log, random, resource, project });
}

/** Without them pods are still spread by their controllers, and everything else goes on. */
function servicesOf({ kube: client, clock, log, random }: InformerPorts): Informer<ServiceObject> {
  return createInformer({
    client,
    clock,
    log,
    random,
    resource: services,
    project: projectService,
    canDoWithout: true,
  });
}

function present(value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [value];
}
