import type { LabelSelector } from '../../core/cluster/label-selector.ts';
import type { PodTerm, SpreadConstraint, WeightedPodTerm } from '../../core/cluster/pod.ts';
import { renewedKey } from '../../core/requirements/requirements.ts';
import type { PodAffinity, PodAffinityTerm, TopologySpreadConstraint } from '../kubernetes/core.ts';

/** The pod whose rules are read: its labels and namespace become part of them. */
export interface PodIdentity {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

/** The spread constraints in the order of the manifest; undefined where there are none. */
export function spreadOf(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  pod: PodIdentity,
): readonly SpreadConstraint[] | undefined {
  if (constraints === undefined || constraints.length === 0) return undefined;
  return constraints.map((constraint) => ({
    topologyKey: renewedKey(constraint.topologyKey),
    maxSkew: constraint.maxSkew,
    isHard: constraint.whenUnsatisfiable === 'DoNotSchedule',
    minDomains: constraint.minDomains,
    selector: withOwnLabels(constraint.labelSelector, pod, { same: constraint.matchLabelKeys }),
    honorsNodeAffinity: constraint.nodeAffinityPolicy !== 'Ignore',
    honorsTaints: constraint.nodeTaintsPolicy === 'Honor',
  }));
}

/** The terms that must hold; undefined where there are none. */
export function requiredTerms(
  affinity: PodAffinity | undefined,
  pod: PodIdentity,
): readonly PodTerm[] | undefined {
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.length === 0 ? undefined : terms.map((term) => decodeTerm(term, pod));
}

/** The terms that are wished for; undefined where there are none. */
export function preferredTerms(
  affinity: PodAffinity | undefined,
  pod: PodIdentity,
): readonly WeightedPodTerm[] | undefined {
  const terms = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  if (terms.length === 0) return undefined;
  return terms.map(({ weight, podAffinityTerm }) => ({
    weight,
    ...decodeTerm(podAffinityTerm, pod),
  }));
}

function decodeTerm(term: PodAffinityTerm, pod: PodIdentity): PodTerm {
  const named = term.namespaces ?? [];
  const isOwnOnly = named.length === 0 && term.namespaceSelector === undefined;
  return {
    topologyKey: renewedKey(term.topologyKey),
    selector: withOwnLabels(term.labelSelector, pod, {
      same: term.matchLabelKeys,
      different: term.mismatchLabelKeys,
    }),
    namespaces: isOwnOnly ? [pod.namespace] : named,
    namespaceSelector: term.namespaceSelector,
  };
}

interface OwnLabelKeys {
  readonly same?: readonly string[] | undefined;
  readonly different?: readonly string[] | undefined;
}

/**
 * The selector with the pod's own values under the given keys asked for, or ruled out. Keys that
 * the pod does not carry say nothing, and a newer API server has written the terms already.
 */
function withOwnLabels(
  selector: LabelSelector | undefined,
  pod: PodIdentity,
  { same = [], different = [] }: OwnLabelKeys,
): LabelSelector | undefined {
  if (selector === undefined) return undefined;
  const known = selector.matchExpressions ?? [];
  const added = [
    ...ownValues(same, pod).map(([key, value]) => expression(key, 'In', value)),
    ...ownValues(different, pod).map(([key, value]) => expression(key, 'NotIn', value)),
  ].filter((term) => !known.some((other) => isSame(term, other)));
  return added.length === 0 ? selector : { ...selector, matchExpressions: [...known, ...added] };
}

function ownValues(keys: readonly string[], pod: PodIdentity): (readonly [string, string])[] {
  return keys.flatMap((key) => {
    const value = Object.hasOwn(pod.labels, key) ? pod.labels[key] : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
}

function expression(key: string, operator: 'In' | 'NotIn', value: string): Expression {
  return { key, operator, values: [value] };
}

function isSame(a: Expression, b: Expression): boolean {
  const values = b.values ?? [];
  return a.key === b.key && a.operator === b.operator && values.join() === a.values?.join();
}
