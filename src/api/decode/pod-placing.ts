import type { Pod, Toleration } from '../../core/cluster/pod.ts';
import { noRequirements } from '../../core/requirements/requirements.ts';
import type { PodObject, PodSpec, TolerationObject } from '../kubernetes/core.ts';
import { conditionOf } from '../resource.ts';
import {
  hostPorts,
  nodeAlternatives,
  nodePreferences,
  unsupportedConstraints,
} from './pod-constraints.ts';
import { podRequests } from './pod-requests.ts';
import { type PodIdentity, preferredTerms, requiredTerms, spreadOf } from './pod-terms.ts';

/** What decides where a pod may go. */
export type Placing = Pick<
  Pod,
  | 'requests'
  | 'nodeAlternatives'
  | 'tolerations'
  | 'hostPorts'
  | 'nodePreferences'
  | 'spread'
  | 'affinity'
  | 'antiAffinity'
  | 'preferredAffinity'
  | 'preferredAntiAffinity'
  | 'unsupported'
  | 'priority'
  | 'priorityClass'
  | 'gracePeriodMs'
  | 'invalid'
>;

export interface PlacingSource extends PodIdentity {
  readonly spec: PodSpec;
  readonly status?: PodObject['status'] | undefined;
}

/** Variants of one list of containers that are remembered: they differ in namespace or labels. */
const mostVariants = 4;
const remembered = new WeakMap<
  PodSpec['containers'],
  { parts: readonly unknown[]; value: Placing }[]
>();

/**
 * Reads the rules of a pod. Where the very same parts were read before, as for pods whose equal
 * specs are kept once, the answer is the same value; so it must not be changed.
 */
export function placingOf(source: PlacingSource): Placing {
  const parts = partsOf(source);
  const variants = remembered.get(source.spec.containers) ?? [];
  for (const known of variants)
    if (known.parts.every((part, index) => part === parts[index])) return known.value;
  const value = decodePlacing(source);
  remembered.set(source.spec.containers, [
    { parts, value },
    ...variants.slice(0, mostVariants - 1),
  ]);
  return value;
}

function partsOf({ spec, namespace, labels, status }: PlacingSource): readonly unknown[] {
  return [
    namespace,
    labels,
    spec.initContainers,
    spec.overhead,
    spec.resources,
    spec.nodeSelector,
    spec.affinity,
    spec.tolerations,
    spec.topologySpreadConstraints,
    spec.resourceClaims,
    spec.priority,
    spec.priorityClassName,
    spec.terminationGracePeriodSeconds,
    status?.containerStatuses,
    status?.initContainerStatuses,
    status?.resources,
    status?.allocatedResources,
    status === undefined ? undefined : conditionOf({ status }, 'PodResizePending')?.reason,
  ];
}

function decodePlacing(source: PlacingSource): Placing {
  const { spec, status } = source;
  const requests = podRequests(spec, status);
  const alternatives = nodeAlternatives(spec);
  const invalid = [...requests.invalid];
  if (alternatives.length === 0)
    invalid.push('required node affinity: none of its terms can match a node');
  return {
    requests: requests.resources,
    nodeAlternatives: alternatives.length > 0 ? alternatives : [noRequirements],
    tolerations: (spec.tolerations ?? []).map(decodeToleration),
    hostPorts: hostPorts(spec),
    nodePreferences: nodePreferences(spec),
    spread: spreadOf(spec.topologySpreadConstraints, source),
    affinity: requiredTerms(spec.affinity?.podAffinity, source),
    antiAffinity: requiredTerms(spec.affinity?.podAntiAffinity, source),
    preferredAffinity: preferredTerms(spec.affinity?.podAffinity, source),
    preferredAntiAffinity: preferredTerms(spec.affinity?.podAntiAffinity, source),
    unsupported: unsupportedConstraints(spec),
    priority: spec.priority ?? 0,
    priorityClass: spec.priorityClassName,
    gracePeriodMs:
      spec.terminationGracePeriodSeconds === undefined
        ? undefined
        : spec.terminationGracePeriodSeconds * 1_000,
    invalid: invalid.length > 0 ? invalid : undefined,
  };
}

function decodeToleration(toleration: TolerationObject): Toleration {
  const { key, operator, value, effect } = toleration;
  return { key, operator, value, effect };
}
