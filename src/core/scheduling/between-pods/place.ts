import type { Slot } from '../../cluster/workspace.ts';
import { combine, type Requirements, requirementsKey } from '../../requirements/requirements.ts';
import { absent, allowsAbsence, has, only, type ValueSet } from '../../requirements/value-set.ts';
import { outOfSight, type Pins } from './counting.ts';
import type { Domains } from './domains.ts';
import type { Group } from './group.ts';
import { type Sides, sidesOf, wantedOn } from './node-filter.ts';
import type { Tie, Ties } from './topology.ts';

/** Labels that a node is to have, with those that are settled. */
export interface Place {
  readonly requirements: Requirements;
  readonly pins: Pins;
}

/** A label that must be settled, and whether a node that lacks it would do by the rules. */
interface Pinned {
  readonly key: string;
  readonly mayLack: boolean;
}

const noPins: Pins = new Map();
/** More combinations of domains than this are not weighed against each other. */
export const mostPlaces = 4096;
/** By so many rules a place is told apart; for others it is on one side. */
const mostSplits = 6;

/** The places among which pods may choose, as far as rules between pods must know which. */
export class Places {
  readonly #domains: Domains;
  readonly #slots: readonly Slot[];
  readonly #lackable = new Map<string, boolean>();
  readonly #known = new Map<string, readonly Place[]>();
  readonly #sides = new Map<Group, Sides>();

  constructor(domains: Domains, slots: readonly Slot[]) {
    this.#domains = domains;
    this.#slots = slots;
  }

  /** The wanted labels with every choice of values for those that must be settled. */
  of(ties: Ties, wanted: Requirements): readonly Place[] {
    let text = requirementsKey(wanted);
    for (const key of ties.pinned) text += `, ${key} ${isOptional(ties, key)}`;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const keys = ties.pinned.map((key) => ({ key, mayLack: isOptional(ties, key) }));
    const places = this.#make(keys, wanted);
    this.#known.set(text, places);
    return places;
  }

  #make(keys: readonly Pinned[], wanted: Requirements): readonly Place[] {
    let places: readonly Place[] = [{ requirements: wanted, pins: noPins }];
    for (const { key, mayLack } of keys) {
      const set = wanted.get(key);
      const values = this.#valuesFor(key, set);
      const canLack = mayLack && (set === undefined || allowsAbsence(set)) && this.#canLack(key);
      places = places
        .flatMap((place) => [
          ...values.map((value) => settled(place, key, value)),
          ...(canLack ? [without(place, key)] : []),
        ])
        .slice(0, mostPlaces);
    }
    return places;
  }

  #valuesFor(key: string, set: ValueSet | undefined): readonly string[] {
    // What the pod names itself may be given to it where a pool allows any value.
    if (set?.kind === 'only') return [...set.values].sort();
    const all = this.#domains.all(key);
    return set === undefined ? all : all.filter((value) => has(set, value));
  }

  /** Whether there is a node without the label, or one could be bought. */
  #canLack(key: string): boolean {
    const isMissing = ({ labels }: Slot): boolean => labels[key] === undefined;
    const canLack =
      this.#lackable.get(key) ?? (this.#domains.isOptional(key) || this.#slots.some(isMissing));
    this.#lackable.set(key, canLack);
    return canLack;
  }

  /** The place, told apart by whether rules that look at some nodes only look at its nodes. */
  inSight(ties: Ties, place: Place): readonly Place[] {
    const parting = ties.zonal.filter(
      ({ group, sight }) => sight !== undefined && place.pins.has(group.rule.key),
    );
    let places: readonly Place[] = [place];
    for (const tie of parting.slice(0, mostSplits))
      places = places.flatMap((one) => this.#partedBy(tie, one)).slice(0, mostPlaces);
    if (parting.length <= mostSplits) return places;
    return places.flatMap((one) => this.#sidedBy(parting.slice(mostSplits), one));
  }

  #partedBy({ group, sight = '' }: Tie, { requirements, pins }: Place): readonly Place[] {
    const { counted, passedBy } = this.#sidesOf(group);
    const seen = new Map([...pins, [sight, 'yes']]);
    const unseen = new Map([...pins, [sight, outOfSight]]);
    return [
      ...wantedOn(counted, requirements).map((one): Place => ({ requirements: one, pins: seen })),
      ...wantedOn(passedBy, requirements).map(
        (one): Place => ({ requirements: one, pins: unseen }),
      ),
    ];
  }

  /** The place as far as it is on one side of each of the rules: in sight, where it can be. */
  #sidedBy(ties: readonly Tie[], place: Place): readonly Place[] {
    let { requirements } = place;
    const pins = new Map(place.pins);
    for (const { group, sight = '' } of ties) {
      const { counted, passedBy } = this.#sidesOf(group);
      const [seen] = wantedOn(counted, requirements);
      const side = seen ?? wantedOn(passedBy, requirements)[0];
      if (side === undefined) return [];
      requirements = side;
      pins.set(sight, seen === undefined ? outOfSight : 'yes');
    }
    return [{ requirements, pins }];
  }

  #sidesOf(group: Group): Sides {
    const sides = this.#sides.get(group) ?? sidesOf(group.rule, this.#domains.pools);
    this.#sides.set(group, sides);
    return sides;
  }
}

function settled({ requirements, pins }: Place, key: string, value: string): Place {
  return {
    requirements: combine(requirements, new Map([[key, only([value])]])),
    pins: new Map([...pins, [key, value]]),
  };
}

function without({ requirements, pins }: Place, key: string): Place {
  return { requirements: combine(requirements, new Map([[key, absent]])), pins };
}

/** Whether nobody with whom it counts minds if the node lacks the label. */
function isOptional({ zonal }: Ties, key: string): boolean {
  for (const { group, isOwner } of zonal)
    if (isOwner && group.rule.key === key && group.rule.kind !== 'anti-affinity') return false;
  return true;
}
