import type { InstanceType } from '../../core/catalog/instance-type.ts';
import type { Budget, Pool, PoolDisruption } from '../../core/cluster/snapshot.ts';
import {
  combine,
  labelsAsRequirements,
  renewedKey,
  requirementsOf,
} from '../../core/requirements/requirements.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { BudgetSpec, NodePool } from '../karpenter/node-pool.ts';
import { conditionOf } from '../resource.ts';
import { parseDuration } from './duration.ts';
import { decodeResources } from './resources.ts';

export interface PoolContext {
  /** What the pool's node class can launch. */
  readonly instanceTypes: readonly InstanceType[];
  /** A reason known to the caller why nothing may be ordered, such as a missing node class. */
  readonly notReady?: string | undefined;
}

/**
 * The NodePool as decisions see it. Whatever makes it unusable (being deleted, a failed
 * condition, a limit that is no quantity, a fixed number of replicas) is told in `notReady`.
 */
export function decodePool(nodePool: NodePool, context: PoolContext): Pool {
  const { metadata, spec } = nodePool;
  const nodeLabels = {
    ...spec.template.metadata?.labels,
    [labels.nodePool]: metadata.name,
    [nodeClassLabel(nodePool)]: spec.template.spec.nodeClassRef.name,
  };
  const limits = decodeResources(spec.limits, 'spec.limits');
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    weight: spec.weight ?? 0,
    requirements: combine(
      requirementsOf(spec.template.spec.requirements),
      labelsAsRequirements(nodeLabels),
    ),
    labels: nodeLabels,
    taints: spec.template.spec.taints ?? [],
    limits: limits.resources,
    instanceTypes: context.instanceTypes,
    disruption: decodeDisruption(spec.disruption),
    isStatic: spec.replicas !== undefined,
    minValues: decodeMinValues(nodePool),
    notReady: whyNotReady(nodePool) ?? limits.invalid[0] ?? context.notReady,
  };
}

function nodeClassLabel(nodePool: NodePool): string {
  const { group, kind } = nodePool.spec.template.spec.nodeClassRef;
  return `${group}/${kind.toLowerCase()}`;
}

function whyNotReady(nodePool: NodePool): string | undefined {
  if (nodePool.metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  if (nodePool.spec.replicas !== undefined)
    return 'it keeps a fixed number of replicas and does not grow for pods';
  const ready = conditionOf(nodePool, 'Ready');
  if (ready === undefined || ready.status === 'True') return undefined;
  const why = [ready.reason, ready.message].filter((text) => text !== undefined && text !== '');
  return why.length > 0 ? why.join(': ') : 'it has not been found ready yet';
}

function decodeMinValues(nodePool: NodePool): Pool['minValues'] {
  const counts = new Map<string, number>();
  for (const { key, minValues } of nodePool.spec.template.spec.requirements) {
    if (minValues === undefined) continue;
    const renewed = renewedKey(key);
    counts.set(renewed, Math.max(minValues, counts.get(renewed) ?? 0));
  }
  return counts.size > 0 ? counts : undefined;
}

/** Defaults are those of the CRD, for manifests that no API server has seen yet. */
function decodeDisruption(disruption: NodePool['spec']['disruption']): PoolDisruption {
  return {
    policy: disruption?.consolidationPolicy ?? 'WhenEmptyOrUnderutilized',
    consolidateAfterMs: parseDuration(disruption?.consolidateAfter ?? '0s') ?? Infinity,
    budgets: (disruption?.budgets ?? [{ nodes: '10%' }]).map(decodeBudget),
  };
}

function decodeBudget(budget: BudgetSpec): Budget {
  const { nodes, reasons, schedule, duration } = budget;
  const durationMs = duration === undefined ? undefined : (parseDuration(duration) ?? Number.NaN);
  return { nodes, reasons, schedule, durationMs };
}
