import { resourceListOf } from '../../api/decode/resources.ts';
import type { NodeClaim, NodeClaimSpec } from '../../api/karpenter/node-claim.ts';
import { type NodePool, nodePools } from '../../api/karpenter/node-pool.ts';
import { plannedPodsAnnotation, plannedPodsText } from '../../api/karpenter/planned-pods.ts';
import { apiVersionOf, type NewObject } from '../../api/resource.ts';
import { overlaidParts } from '../../core/catalog/overlay.ts';
import { isVirtual } from '../../core/cluster/buffer.ts';
import { type RequirementTerm, termsOf } from '../../core/requirements/requirements.ts';
import { firstValueOf, valuesWithin } from '../../core/requirements/value-set.ts';
import { isNameOfNode, isWellKnownLabel } from '../../core/requirements/well-known.ts';
import type { NewNode } from '../../core/scheduling/plan.ts';
import { stampAnnotations } from '../hash-stamp.ts';
import { nodePoolStamp } from '../nodepool/hash.ts';

/** The NodeClaim that orders a planned node. The name is the caller's, so that a retry is the same. */
export function claimOf(node: NewNode, pool: NodePool, name: string): NewObject<NodeClaim> {
  return {
    metadata: {
      name,
      generateName: `${pool.metadata.name}-`,
      labels: claimLabels(node),
      annotations: {
        ...pool.spec.template.metadata?.annotations,
        ...stampAnnotations(nodePoolStamp(pool)),
        ...overlayAnnotations(node),
        ...(hasLessVariety(node) ? { [minValuesRelaxed]: 'true' } : {}),
        ...plannedPods(node),
      },
      ownerReferences: [
        {
          apiVersion: apiVersionOf(nodePools),
          kind: nodePools.kind,
          name: pool.metadata.name,
          uid: pool.metadata.uid ?? '',
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: specOf(node, pool),
  };
}

/** A plan lives in memory; whoever comes after us learns from the claims for whom they are. */
function plannedPods({ pods }: NewNode): Readonly<Record<string, string>> {
  const uids = pods.filter((pod) => !isVirtual(pod)).map(({ uid }) => uid);
  return uids.length === 0 ? {} : { [plannedPodsAnnotation]: plannedPodsText(uids) };
}

/** Whoever looks at the claim shall know that the cloud would have told something else. */
function overlayAnnotations({ instanceTypes }: NewNode): Readonly<Record<string, string>> {
  const parts = instanceTypes.map(overlaidParts);
  const hasCapacity = parts.some(({ capacity }) => Object.keys(capacity).length > 0);
  return {
    ...(parts.some(({ hasPrice }) => hasPrice) ? { [priceOverlaid]: 'true' } : {}),
    ...(hasCapacity ? { [capacityOverlaid]: 'true' } : {}),
  };
}

/** Whether the order has fewer values of some label than its pool would have it. */
export function hasLessVariety(node: NewNode): boolean {
  return [...(node.pool.minValues ?? [])].some(([key, least]) => valuesOf(node, key) < least);
}

/** How many values of the label the order leaves to the cloud to choose from. */
function valuesOf({ instanceTypes, requirements }: NewNode, key: string): number {
  const allowed = requirements.get(key);
  return new Set(instanceTypes.flatMap((type) => valuesWithin(type.requirements.get(key), allowed)))
    .size;
}

const minValuesRelaxed = 'karpenter.sh/nodeclaim-min-values-relaxed';
const priceOverlaid = 'karpenter.sh/price-overlay-applied';
const capacityOverlaid = 'karpenter.sh/capacity-overlay-applied';

function specOf(node: NewNode, pool: NodePool): NodeClaimSpec {
  const { nodeClassRef, taints, startupTaints, expireAfter, terminationGracePeriod } =
    pool.spec.template.spec;
  return {
    requirements: claimRequirements(node),
    resources: { requests: resourceListOf(node.requests) },
    nodeClassRef,
    ...(taints === undefined ? {} : { taints }),
    ...(startupTaints === undefined ? {} : { startupTaints }),
    ...(expireAfter === undefined ? {} : { expireAfter }),
    ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
  };
}

/**
 * Everything the plan settled; the count of different values goes with the first term of a key,
 * and where fewer are to be had, the claim asks for those alone.
 */
function claimRequirements(node: NewNode): NodeClaimSpec['requirements'] {
  const counted = new Set<string>();
  return termsOf(node.requirements)
    .filter(({ key }) => !isNameOfNode(key))
    .map((term) => {
      const least = counted.has(term.key) ? undefined : node.pool.minValues?.get(term.key);
      counted.add(term.key);
      return writable(term, Math.min(least ?? 0, valuesOf(node, term.key)));
    });
}

function writable(
  { key, operator, values }: RequirementTerm,
  minValues: number,
): NodeClaimSpec['requirements'][number] {
  return {
    key,
    operator,
    ...(values === undefined ? {} : { values: [...values] }),
    ...(minValues > 0 ? { minValues } : {}),
  };
}

/**
 * The pool's labels, and a value for every label of the user's own that pods may ask for: the
 * cloud fills in only what it knows.
 */
function claimLabels({ pool, requirements }: NewNode): Readonly<Record<string, string>> {
  const own: Record<string, string> = {};
  for (const key of [...requirements.keys()].sort()) {
    const set = requirements.get(key);
    const isOurs = isWellKnownLabel(key) || isNameOfNode(key);
    const value = set === undefined || isOurs ? undefined : firstValueOf(set);
    if (value !== undefined) own[key] = value;
  }
  return { ...own, ...pool.labels };
}
