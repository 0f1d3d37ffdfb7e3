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
  readonly #sizes = new SizeTrail();
  readonly #rules = new RulesTrail();
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

/** More than there are aspects, so that a number and an aspect make one number. */
const mostAspects = 16;

/** One respect in which pods may differ. */
class Aspect<T> extends Numbering<T> {
  readonly index: number;

  constructor(index: number, textOf: (value: T) => string) {
    super(textOf);
    this.index = index;
  }
}

/** Numbers for pods in several aspects together: each adds to what the ones before it have found. */
class Trail {
  readonly texts: string[] = [''];
  readonly #steps = new PairNumbering();

  with<T>(before: number, aspect: Aspect<T>, value: T): number {
    const own = aspect.of(value);
    const number = this.#steps.of(before * mostAspects + aspect.index, own);
    if (number === this.texts.length) this.texts.push(`${this.texts[before]}${aspect.texts[own]}`);
    return number;
  }

  /** The same for a list, of which an empty one adds nothing. */
  withAll<T>(before: number, aspect: Aspect<readonly T[]>, list: readonly T[] | undefined): number {
    return list === undefined || list.length === 0 ? before : this.with(before, aspect, list);
  }
}

// The aspects are asked one after the other in so many words: a loop over functions that know
// them takes twice as long, and every pod comes by here.

class SizeTrail extends Trail {
  readonly #priority = new Aspect<number>(0, String);
  readonly #requests = new Aspect(1, requestsText);
  readonly #hostPorts = new Aspect(2, portsText);
  readonly #unsupported = new Aspect(3, faultsText);
  readonly #invalid = new Aspect(4, faultsText);

  of(pod: Pod): number {
    let trail = this.with(0, this.#priority, pod.priority);
    trail = this.with(trail, this.#requests, pod.requests);
    trail = this.withAll(trail, this.#hostPorts, pod.hostPorts);
    trail = this.withAll(trail, this.#unsupported, pod.unsupported);
    return this.withAll(trail, this.#invalid, pod.invalid);
  }
}

class RulesTrail extends Trail {
  readonly #tolerations = new Aspect(0, tolerationsText);
  readonly #nodeAlternatives = new Aspect(1, alternativesText('|'));
  readonly #nodePreferences = new Aspect(2, preferencesText);
  readonly #volumes = new Aspect(3, alternativesText('^'));
  readonly #namespace = new Aspect(4, (namespace: string) => `|${namespace}`);
  readonly #spread = new Aspect(5, written(''));
  readonly #affinity = new Aspect(6, written('+'));
  readonly #antiAffinity = new Aspect(7, written('-'));
  readonly #preferredAffinity = new Aspect(8, written('~+'));
  readonly #preferredAntiAffinity = new Aspect(9, written('~-'));

  of(pod: Pod): number {
    let trail = this.withAll(0, this.#tolerations, pod.tolerations);
    trail = this.withAll(trail, this.#nodeAlternatives, pod.nodeAlternatives);
    trail = this.withAll(trail, this.#nodePreferences, pod.nodePreferences);
    trail = this.withAll(trail, this.#volumes, pod.volumes?.alternatives);
    trail = this.with(trail, this.#namespace, pod.namespace);
    trail = this.withAll(trail, this.#spread, pod.spread);
    trail = this.withAll(trail, this.#affinity, pod.affinity);
    trail = this.withAll(trail, this.#antiAffinity, pod.antiAffinity);
    trail = this.withAll(trail, this.#preferredAffinity, pod.preferredAffinity);
    return this.withAll(trail, this.#preferredAntiAffinity, pod.preferredAntiAffinity);
  }
}

function written(mark: string): (list: readonly unknown[]) => string {
  return (list) => `${mark}${JSON.stringify(list)}`;
}
