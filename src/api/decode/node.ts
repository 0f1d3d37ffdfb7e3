import type { CapacityType, InstanceType } from '../../core/catalog/instance-type.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Node } from '../../core/cluster/snapshot.ts';
import { largest, noResources, type Resources } from '../../core/quantity/resources.ts';
import { requirementsOf } from '../../core/requirements/requirements.ts';
import { has } from '../../core/requirements/value-set.ts';
import { annotations, labels } from '../../core/requirements/well-known.ts';
import type { NodeClaim } from '../karpenter/node-claim.ts';
import type { NodeObject } from '../kubernetes/core.ts';
import { conditionOf, isTrue } from '../resource.ts';
import { parseTime } from './duration.ts';
import { priceOf } from './node-price.ts';
import { nodeTaints } from './node-taints.ts';
import { decodeResources } from './resources.ts';

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
  const nodeLabels = labelsOf(source, stage);
  return {
    name: nameOf(source, stage),
    claimName: claim?.metadata.name,
    poolName: nodeLabels[labels.nodePool],
    stage,
    labels: nodeLabels,
    taints: nodeTaints(node, claim, stage),
    ...sizeOf(source, stage),
    pods: source.pods.filter((pod) => !pod.isTerminal),
    reservedFor: source.reservedFor ?? [],
    isReady: node !== undefined && isTrue(node, 'Ready'),
    isLeaving: source.isLeaving === true || isLeaving(source),
    isInstanceLeaving: claim !== undefined && isTrue(claim, 'InstanceTerminating'),
    priceUsdPerHour: priceOf(source, nodeLabels),
    instanceType: nodeLabels[labels.instanceType],
    zone: nodeLabels[labels.zone],
    capacityType: capacityTypeOf(nodeLabels[labels.capacityType]),
    createdAtMs: parseTime((claim ?? node)?.metadata.creationTimestamp) ?? 0,
    idleSinceMs: idleSince(claim),
    doNotDisrupt: node?.metadata.annotations?.[annotations.doNotDisrupt] === 'true',
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

/** Until it has registered, the claim's labels and whatever its requirements leave no choice in. */
function labelsOf({ node, claim }: NodeSource, stage: Node['stage']): Record<string, string> {
  if (claim === undefined || stage === 'registered' || stage === 'initialized')
    return { ...node?.metadata.labels };
  const settled: Record<string, string> = {};
  for (const [key, set] of requirementsOf(claim.spec.requirements)) {
    const [value, ...others] = set.values;
    if (set.kind === 'only' && value !== undefined && others.length === 0) settled[key] = value;
  }
  return { ...settled, ...claim.metadata.labels };
}

function sizeOf(source: NodeSource, stage: Node['stage']): Pick<Node, 'allocatable' | 'capacity'> {
  const { node, claim } = source;
  if (claim !== undefined && stage === 'ordered') return sizeOfOrder(claim, source.instanceTypes);
  const seen = {
    allocatable: decodeResources(node?.status?.allocatable, 'allocatable').resources,
    capacity: decodeResources(node?.status?.capacity, 'capacity').resources,
  };
  if (claim === undefined || stage === 'initialized') return seen;
  const { allocatable, capacity } = claim.status ?? {};
  return {
    allocatable: whereMissing(seen.allocatable, decodeResources(allocatable, '').resources),
    capacity: whereMissing(seen.capacity, decodeResources(capacity, '').resources),
  };
}

/** A machine that has just joined reports nothing, or zeros, for devices it will have. */
function whereMissing(seen: Resources, promised: Resources): Resources {
  const result: Record<string, number> = { ...seen };
  for (const [name, amount] of Object.entries(promised))
    if ((result[name] ?? 0) === 0) result[name] = amount;
  return result;
}

/**
 * Which machine comes is not known before the launch. It will hold at least what was asked for,
 * and it may count against the limits as the largest of the types that were allowed.
 */
function sizeOfOrder(
  claim: NodeClaim,
  instanceTypes: readonly InstanceType[] = [],
): Pick<Node, 'allocatable' | 'capacity'> {
  const allocatable = decodeResources(claim.spec.resources?.requests, 'requests').resources;
  const types = requirementsOf(claim.spec.requirements).get(labels.instanceType);
  const capacity = instanceTypes
    .filter((type) => types !== undefined && has(types, type.name))
    .reduce((most: Resources, type) => largest(most, type.capacity), noResources);
  return { allocatable, capacity: largest(capacity, allocatable) };
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

function capacityTypeOf(text: string | undefined): CapacityType | undefined {
  return text === 'spot' || text === 'on-demand' || text === 'reserved' ? text : undefined;
}
