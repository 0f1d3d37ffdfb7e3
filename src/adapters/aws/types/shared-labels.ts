import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { Requirements } from '../../../core/requirements/requirements.ts';
import type { ValueSet } from '../../../core/requirements/value-set.ts';
import { type MachinePlaces, machineRequirements } from './machine-labels.ts';

/** Value sets by their values: most labels have one of few. */
export type SharedSets = Map<string, ValueSet>;

/**
 * The labels of machines, once for all classes of one system, the same zones and one placement
 * group. They are four fifths of what the types of a class weigh, and classes mostly differ in
 * other things. What a reservation adds to a type is the class's own.
 */
export class SharedLabels {
  readonly #sets: SharedSets;
  readonly #byType = new Map<string, Requirements>();

  constructor(sets: SharedSets) {
    this.#sets = sets;
  }

  of(info: InstanceTypeInfo, places: MachinePlaces): Requirements {
    if (places.reservations.length > 0) return this.#make(info, places);
    const name = info.InstanceType ?? '';
    const requirements = this.#byType.get(name) ?? this.#make(info, places);
    this.#byType.set(name, requirements);
    return requirements;
  }

  #make(info: InstanceTypeInfo, places: MachinePlaces): Requirements {
    const own = machineRequirements(info, places);
    return new Map([...own].map(([key, set]) => [key, this.#same(set)]));
  }

  #same(set: ValueSet): ValueSet {
    if (set.kind !== 'only') return set;
    const text = JSON.stringify([set.mayBeAbsent, ...set.values]);
    const known = this.#sets.get(text) ?? set;
    this.#sets.set(text, known);
    return known;
  }
}
