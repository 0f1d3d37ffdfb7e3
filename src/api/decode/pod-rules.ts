import type { Pod, Toleration } from '../../core/cluster/pod.ts';
import { noRequirements } from '../../core/requirements/requirements.ts';
import type {
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
  TolerationObject,
} from '../kubernetes/core.ts';
import { nodeAlternatives, nodePreferences } from './pod-constraints.ts';
import type { PodMemory } from './pod-memory.ts';
import { type PodIdentity, preferredTerms, requiredTerms, spreadOf } from './pod-terms.ts';

/** What decides where a pod may go, beside its size and its volumes. */
export interface PodRules
  extends Pick<
    Pod,
    | 'nodeAlternatives'
    | 'tolerations'
    | 'nodePreferences'
    | 'spread'
    | 'affinity'
    | 'antiAffinity'
    | 'preferredAffinity'
    | 'preferredAntiAffinity'
  > {
  /** Why no node at all will do, as a sentence. */
  readonly problem?: string | undefined;
}

/** The rules of a pod; equal ones, in one memory, are the same value, so it must not be changed. */
export function rulesOf(spec: PodSpec, pod: PodIdentity, { rules }: PodMemory): PodRules {
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints: spread } = spec;
  if ((nodeSelector ?? affinity ?? tolerations ?? spread) === undefined) return noRules;
  // Terms mean the pod's own namespace where they name none, and its own labels by some keys.
  const { namespace } = pod;
  const labels = meansOwnLabels(spec) ? pod.labels : undefined;
  const written = { nodeSelector, affinity, tolerations, spread, namespace, labels };
  return rules.of(written, () => decodeRules(spec, pod));
}

function meansOwnLabels({ affinity, topologySpreadConstraints: spread = [] }: PodSpec): boolean {
  return (
    spread.some(hasLabelKeys) ||
    termsOf(affinity?.podAffinity).some(hasLabelKeys) ||
    termsOf(affinity?.podAntiAffinity).some(hasLabelKeys)
  );
}

const noTerms: readonly PodAffinityTerm[] = [];

function termsOf(affinity: PodAffinity | undefined): readonly PodAffinityTerm[] {
  if (affinity === undefined) return noTerms;
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...(affinity.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...preferred.map(({ podAffinityTerm }) => podAffinityTerm),
  ];
}

function hasLabelKeys({
  matchLabelKeys,
  mismatchLabelKeys,
}: Pick<PodAffinityTerm, 'matchLabelKeys' | 'mismatchLabelKeys'>): boolean {
  return (matchLabelKeys ?? mismatchLabelKeys) !== undefined;
}

const noRules: PodRules = decodeRules({ containers: [] }, { namespace: '', labels: {} });

function decodeRules(spec: PodSpec, pod: PodIdentity): PodRules {
  const alternatives = nodeAlternatives(spec);
  const isImpossible = alternatives.length === 0;
  return {
    nodeAlternatives: isImpossible ? [noRequirements] : alternatives,
    tolerations: (spec.tolerations ?? []).map(decodeToleration),
    nodePreferences: nodePreferences(spec),
    spread: spreadOf(spec.topologySpreadConstraints, pod),
    affinity: requiredTerms(spec.affinity?.podAffinity, pod),
    antiAffinity: requiredTerms(spec.affinity?.podAntiAffinity, pod),
    preferredAffinity: preferredTerms(spec.affinity?.podAffinity, pod),
    preferredAntiAffinity: preferredTerms(spec.affinity?.podAntiAffinity, pod),
    problem: isImpossible
      ? 'required node affinity: none of its terms can match a node'
      : undefined,
  };
}

function decodeToleration({ key, operator, value, effect }: TolerationObject): Toleration {
  return { key, operator, value, effect };
}
