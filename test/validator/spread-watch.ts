import type { Pod, SpreadConstraint } from '../../src/core/cluster/pod.ts';
import { meetsOne } from './label-rules.ts';
import type { Place } from './places.ts';
import { isSelected, toleratesAll } from './pod-rules.ts';

const hostname = 'kubernetes.io/hostname';

/** How many matching pods each domain holds, as a hard constraint of one pod counts them. */
export interface SpreadWatch {
  readonly constraint: SpreadConstraint;
  readonly counts: Map<string, number>;
  /** The domain in which pods at this place count; undefined where they do not. */
  readonly domainOf: (place: Place) => string | undefined;
  readonly matches: (pod: Pod) => boolean;
}

/**
 * Domains are those of the nodes that will be there, also of leaving ones as long as somebody holds
 * them, and, beyond Kubernetes, those in `reach` that a pool could open for this pod: whoever
 * spreads over zones means the zones to be had.
 */
export function watchOf(
  pod: Pod,
  constraint: SpreadConstraint,
  { reach, places }: { readonly reach: readonly string[]; readonly places: readonly Place[] },
): SpreadWatch {
  const key = constraint.topologyKey;
  const keys = hardConstraints(pod).map(({ topologyKey }) => topologyKey);
  const domainOf = remembered((place: Place): string | undefined => {
    const labels = place.expected;
    if (place.isLeaving && place.residents.length === 0) return undefined;
    if (keys.some((wanted) => labels[wanted] === undefined)) return undefined;
    if (constraint.honorsNodeAffinity && !meetsOne(labels, pod.nodeAlternatives)) return undefined;
    if (constraint.honorsTaints && !toleratesAll(pod, place.taints)) return undefined;
    return labels[key];
  });
  const counts = new Map<string, number>();
  const known = places.map(domainOf).filter((domain) => domain !== undefined);
  const domains = key === hostname ? known : [...known, ...reach];
  for (const domain of domains) counts.set(domain, 0);
  const matches = remembered(
    (other: Pod): boolean =>
      !other.isTerminating &&
      other.namespace === pod.namespace &&
      isSelected(constraint.selector, other.labels),
  );
  const watch = { constraint, counts, domainOf, matches };
  for (const place of places) for (const one of place.residents) count(watch, one, place);
  return watch;
}

function remembered<From extends object, To>(of: (from: From) => To): (from: From) => To {
  const known = new Map<From, { readonly value: To }>();
  return (from) => {
    const found = known.get(from) ?? { value: of(from) };
    known.set(from, found);
    return found.value;
  };
}

export function hardConstraints(pod: Pod): readonly SpreadConstraint[] {
  return (pod.spread ?? []).filter((constraint) => constraint.isHard);
}

/** Lets the watch see that the pod is now there. */
export function count(watch: SpreadWatch, pod: Pod, place: Place): void {
  const domain = watch.domainOf(place);
  if (domain === undefined || !watch.matches(pod)) return;
  watch.counts.set(domain, (watch.counts.get(domain) ?? 0) + 1);
}

/** Why the pod may not come to the place now, in the words of the constraint. */
export function skewFault(watch: SpreadWatch, pod: Pod, place: Place): string | undefined {
  const { topologyKey, maxSkew } = watch.constraint;
  const domain = watch.domainOf(place);
  if (domain === undefined) return `it is spread over ${topologyKey}, which the node lacks`;
  const here = (watch.counts.get(domain) ?? 0) + (watch.matches(pod) ? 1 : 0);
  const least = fewest(watch);
  if (here - least <= maxSkew) return undefined;
  return `${topologyKey} ${domain} would hold ${here} and the emptiest ${least}, more than ${maxSkew} apart`;
}

/** Too few domains count as an empty one. */
export function fewest({ counts, constraint }: SpreadWatch): number {
  if (counts.size < (constraint.minDomains ?? 0)) return 0;
  return Math.min(...counts.values());
}
