import { Numbering, PairNumbering } from './numbering.ts';
import type { Pod } from './pod.ts';
import {
  alternativesText,
  faultsText,
  portsText,
  preferencesText,
  requestsText,
  tolerationsText,
} from './pod-kind-text.ts';

/** What pods have in common that are alike in everything but their names and labels. */
export interface PodKind {
  /** Its place among the kinds. */
  readonly index: number;
  /** Equal for kinds that matter as much and ask for the same amounts and ports. */
  readonly size: number;
  /** Equal for kinds with the same rules about node labels, taints, volumes and other pods. */
  readonly rules: number;
  /** Any pod of the kind. */
  readonly sample: Pod;
}

/**
 * Finds the kinds of pods. Pods mostly share the values that they are made of, so that two are
 * found alike by a few numbers; a text is written only for values that were not seen before.
 */
export class PodKinds {
  readonly all: PodKind[] = [];
  readonly #sizes = new Trail([
    numbered(({ priority }) => priority, String),
    numbered(({ requests }) => requests, requestsText),
    listed(({ hostPorts }) => hostPorts, portsText),
    listed(({ unsupported }) => unsupported, faultsText),
    listed(({ invalid }) => invalid, faultsText),
  ]);
  readonly #rules = new Trail([
    listed(({ tolerations }) => tolerations, tolerationsText),
    listed(({ nodeAlternatives }) => nodeAlternatives, alternativesText('|')),
    listed(({ nodePreferences }) => nodePreferences, preferencesText),
    listed(({ volumes }) => volumes?.alternatives, alternativesText('^')),
    numbered(
      ({ namespace }) => namespace,
      (namespace) => `|${namespace}`,
    ),
    listed(({ spread }) => spread, written('')),
    listed(({ affinity }) => affinity, written('+')),
    listed(({ antiAffinity }) => antiAffinity, written('-')),
    listed(({ preferredAffinity }) => preferredAffinity, written('~+')),
    listed(({ preferredAntiAffinity }) => preferredAntiAffinity, written('~-')),
  ]);
  readonly #kinds = new PairNumbering();

  of(pod: Pod): PodKind {
    const size = this.#sizes.of(pod);
    const rules = this.#rules.of(pod);
    const index = this.#kinds.of(size, rules) - 1;
    const known = this.all[index];
    if (known !== undefined) return known;
    const kind = { index, size, rules, sample: pod };
    this.all.push(kind);
    return kind;
  }

  /** By size, whoever finds it. */
  get sizeTexts(): readonly string[] {
    return this.#sizes.texts;
  }

  /** By rules, whoever finds them. */
  get rulesTexts(): readonly string[] {
    return this.#rules.texts;
  }
}

/** One respect in which pods may differ. */
interface Aspect {
  /** What the pod asks for, as a number; negative where it asks for nothing. */
  readonly numberOf: (pod: Pod) => number;
  /** By number. */
  readonly texts: readonly string[];
}

/** More than there are aspects, so that a number and an aspect make one number. */
const mostAspects = 16;

/** Numbers for pods in all aspects together: each adds to what the ones before it have found. */
class Trail {
  readonly texts: string[] = [''];
  readonly #aspects: readonly Aspect[];
  readonly #steps = new PairNumbering();

  constructor(aspects: readonly Aspect[]) {
    this.#aspects = aspects;
  }

  of(pod: Pod): number {
    let number = 0;
    for (let index = 0; index < this.#aspects.length; index++) {
      const own = this.#aspects[index]?.numberOf(pod) ?? -1;
      if (own < 0) continue;
      const before = number;
      number = this.#steps.of(before * mostAspects + index, own);
      if (number === this.texts.length)
        this.texts.push(`${this.texts[before]}${this.#aspects[index]?.texts[own]}`);
    }
    return number;
  }
}

function numbered<T>(partOf: (pod: Pod) => T, textOf: (value: T) => string): Aspect {
  const numbers = new Numbering(textOf);
  return { texts: numbers.texts, numberOf: (pod) => numbers.of(partOf(pod)) };
}

function listed<T>(
  listOf: (pod: Pod) => readonly T[] | undefined,
  textOf: (list: readonly T[]) => string,
): Aspect {
  const numbers = new Numbering(textOf);
  const numberOf = (pod: Pod): number => {
    const list = listOf(pod);
    return list === undefined || list.length === 0 ? -1 : numbers.of(list);
  };
  return { texts: numbers.texts, numberOf };
}

function written(mark: string): (list: readonly unknown[]) => string {
  return (list) => `${mark}${JSON.stringify(list)}`;
}
