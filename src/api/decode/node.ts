import { besideHugePages } from '../../core/catalog/huge-pages.ts';
import type { CapacityType, InstanceType } from '../../core/catalog/instance-type.ts';
import { overlaidParts } from '../../core/catalog/overlay.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Node } from '../../core/cluster/snapshot.ts';
import { largest, noResources, type Resources, smallest } from '../../core/quantity/resources.ts';
import { requirementsOf } from '../../core/requirements/requirements.ts';
import { has } from '../../core/requirements/value-set.ts';
import { annotations, labels } from '../../core/requirements/well-known.ts';
import type { NodeClaim } from '../karpenter/node-claim.ts';
import type { NodeObject } from '../kubernetes/core.ts';
import type { CsiNodeObject } from '../kubernetes/volume.ts';
import { conditionOf, isTrue, type KubeObject } from '../resource.ts';
import { parseTime } from './duration.ts';
import { priceOf } from './node-price.ts';
import { nodeTaints } from './node-taints.ts';
import { labelsOfOrder } from './order-labels.ts';
import { decodeResources } from './resources.ts';
import { typesNamed } from './types-by-name.ts';
import { attachLimitsOf } from './volumes.ts';

/** A Node, the NodeClaim behind it, or both; at least one of them. */
export type NodeSource = NodeContext &
  (
    | { readonly node: NodeObject; readonly claim?: NodeClaim | undefined }
    | { readonly node?: NodeObject | undefined; readonly claim: NodeClaim }
  );

interface NodeContext {
  /** Pods bound to it; those that have finished are left out here. */
  readonly pods: readonly Pod[];
  /** Pods that the latest plans meant for it, by uid. */
  readonly reservedFor?: readonly string[] | undefined;
  /** The caller has begun to remove it, whatever the objects say. */
  readonly isLeaving?: boolean | undefined;
  /** The caller wants it left alone, whatever its annotations say. */
  readonly isProtected?: boolean | undefined;
  /** What its storage drivers say about it. */
  readonly csiNode?: CsiNodeObject | undefined;
  /** The types of its pool, for its price and for the size of a machine not launched yet. */
  readonly instanceTypes?: readonly InstanceType[] | undefined;
}

/**
 * Joins a Node and its claim into what decisions see: until the machine has shown what it has,
 * the claim's word counts; until it is initialized, taints that will pass are left out.
 */
export function decodeNode(source: NodeSource): Node {
  const { node, claim } = source;
  const stage = stageOf(source);
  const { labels: nodeLabels, openLabels } = labelsOf(source, stage);
  return {
    name: nameOf(source, stage),
    claimName: claim?.metadata.name,
    poolName: nodeLabels[labels.nodePool],
    stage,
    labels: nodeLabels,
    openLabels,
    taints: nodeTaints(node, claim, stage),
    ...sizeOf(source, stage),
    pods: source.pods.filter((pod) => !pod.isTerminal),
    reservedFor: source.reservedFor ?? [],
    attachLimits: attachLimitsOf(source.csiNode),
    isReady: node !== undefined && isTrue(node, 'Ready'),
    isLeaving: source.isLeaving === true || isLeaving(source),
    isInstanceLeaving: claim !== undefined && isTrue(claim, 'InstanceTerminating'),
    priceUsdPerHour: priceOf(source, nodeLabels),
    instanceType: nodeLabels[labels.instanceType],
    zone: nodeLabels[labels.zone],
    capacityType: capacityTypeOf(nodeLabels[labels.capacityType]),
    createdAtMs: parseTime((claim ?? node)?.metadata.creationTimestamp) ?? 0,
    idleSinceMs: idleSince(claim),
    doNotDisrupt: source.isProtected === true || asksForPeace(node) || asksForPeace(claim),
  };
}

/** Nodes that no claim stands behind are not ours: they are taken as they are. */
function stageOf({ node, claim }: NodeSource): Node['stage'] {
  if (claim === undefined) return 'initialized';
  if (node?.metadata.labels?.[labels.initialized] === 'true') return 'initialized';
  if (node?.metadata.labels?.[labels.registered] === 'true') return 'registered';
  const isLaunched = isTrue(claim, 'Launched') || (claim.status?.providerID ?? '') !== '';
  return isLaunched ? 'launched' : 'ordered';
}

function nameOf({ node, claim }: NodeSource, stage: Node['stage']): string {
  const isRegistered = stage === 'registered' || stage === 'initialized';
  const named = isRegistered ? (node ?? claim) : (claim ?? node);
  return named?.metadata.name ?? '';
}

/** Until it has registered, what its claim says of it; until the launch, of several types. */
function labelsOf(
  { node, claim, instanceTypes }: NodeSource,
  stage: Node['stage'],
): Pick<Node, 'labels' | 'openLabels'> {
  if (claim === undefined || stage === 'registered' || stage === 'initialized')
    return { labels: { ...node?.metadata.labels } };
  if (stage === 'launched') return { labels: labelsOfOrder(claim).settled };
  const { settled, open } = labelsOfOrder(claim, instanceTypes);
  return { labels: settled, openLabels: open };
}

type Size = Pick<Node, 'allocatable' | 'capacity' | 'possibleTypes'>;

function sizeOf(source: NodeSource, stage: Node['stage']): Size {
  const { node, claim } = source;
  if (claim !== undefined && stage === 'ordered') return sizeOfOrder(claim, source.instanceTypes);
  const seen = {
    allocatable: decodeResources(node?.status?.allocatable, 'allocatable').resources,
    capacity: decodeResources(node?.status?.capacity, 'capacity').resources,
  };
  if (claim === undefined || stage === 'initialized') return seen;
  const { allocatable, capacity } = claim.status ?? {};
  const added = overlaidCapacity(source, stage);
  return {
    allocatable: whereMissing(seen.allocatable, {
      ...added,
      ...besideHugePages(decodeResources(allocatable, '').resources, added),
    }),
    capacity: whereMissing(seen.capacity, { ...added, ...decodeResources(capacity, '').resources }),
  };
}

/** What overlays promise of its type: the cloud knows nothing of it, and neither does its claim. */
function overlaidCapacity(source: NodeSource, stage: Node['stage']): Resources {
  const name = labelsOf(source, stage).labels[labels.instanceType];
  const [type] = typesNamed(source.instanceTypes ?? [], name);
  return type === undefined ? noResources : overlaidParts(type).capacity;
}

/** A machine that has just joined reports nothing, or zeros, for devices it will have. */
function whereMissing(seen: Resources, promised: Resources): Resources {
  const result: Record<string, number> = { ...seen };
  for (const [name, amount] of Object.entries(promised))
    if ((result[name] ?? 0) === 0) result[name] = amount;
  return result;
}

/**
 * Which machine comes is not known before the launch. It will hold at least what was asked for
 * and what every one of the allowed types holds, so that more pods may be planned for it, and it
 * may count against the limits as the largest of them.
 */
function sizeOfOrder(claim: NodeClaim, instanceTypes: readonly InstanceType[] = []): Size {
  const requests = decodeResources(claim.spec.resources?.requests, 'requests').resources;
  const allowed = requirementsOf(claim.spec.requirements).get(labels.instanceType);
  const types = instanceTypes.filter((type) => allowed !== undefined && has(allowed, type.name));
  const most = types.map((type) => type.capacity).reduce(largest, noResources);
  const least = types.map((type) => type.allocatable).reduce(smallest, types[0]?.allocatable ?? {});
  return {
    allocatable: largest(least, requests),
    capacity: largest(most, requests),
    possibleTypes: types,
  };
}

function isLeaving({ node, claim }: NodeSource): boolean {
  if (claim === undefined) return node?.metadata.deletionTimestamp !== undefined;
  return (
    claim.metadata.deletionTimestamp !== undefined ||
    node?.metadata.deletionTimestamp !== undefined ||
    isTrue(claim, 'InstanceTerminating')
  );
}

function idleSince(claim: NodeClaim | undefined): number | undefined {
  if (claim === undefined || !isTrue(claim, 'Initialized')) return undefined;
  return (
    parseTime(claim.status?.lastPodEventTime) ??
    parseTime(conditionOf(claim, 'Initialized')?.lastTransitionTime)
  );
}

function asksForPeace(object: KubeObject | undefined): boolean {
  return object?.metadata.annotations?.[annotations.doNotDisrupt] === 'true';
}

function capacityTypeOf(text: string | undefined): CapacityType | undefined {
  return text === 'spot' || text === 'on-demand' || text === 'reserved' ? text : undefined;
}
