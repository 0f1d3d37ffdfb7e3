import type { Pod, PodTerm } from '../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../src/core/cluster/snapshot.ts';
import { type Place, valuesAt } from './places.ts';
import { isMeant } from './pod-rules.ts';

interface Present {
  readonly pod: Pod;
  readonly place: Place;
  readonly isNew: boolean;
}

/**
 * Pods that must not share a domain and may come to do so. It is the same from both sides: a pod
 * keeps others away whether it came first or last. What stood together before is nobody's fault.
 */
export function keepingApartFaults(
  snapshot: Snapshot,
  places: readonly Place[],
): readonly string[] {
  const present = places.flatMap((place) => [
    ...place.residents.map((pod): Present => ({ pod, place, isNew: false })),
    ...place.newcomers.map((pod): Present => ({ pod, place, isNew: true })),
  ]);
  const faults: string[] = [];
  for (const one of present) {
    for (const term of one.pod.antiAffinity ?? []) {
      const clash = present.find(
        (other) =>
          other.pod.uid !== one.pod.uid &&
          (one.isNew || other.isNew) &&
          isMeant(term, other.pod, snapshot.namespaces) &&
          mayShareDomain(one.place, other.place, term),
      );
      if (clash !== undefined)
        faults.push(
          `pod ${one.pod.name} on ${one.place.name} may share its ${term.topologyKey} with ${clash.pod.name} on ${clash.place.name}`,
        );
    }
  }
  return faults;
}

function mayShareDomain(a: Place, b: Place, { topologyKey }: PodTerm): boolean {
  const values = valuesAt(a, topologyKey);
  if (a === b) return values.size > 0;
  return [...valuesAt(b, topologyKey)].some((value) => values.has(value));
}
