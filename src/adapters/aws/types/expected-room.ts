import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import { type Resources, smallest } from '../../../core/quantity/resources.ts';
import type { LearnedMachines } from './learned-machines.ts';
import { allocatableOf } from './machine-overhead.ts';
import type { ResolvedType } from './resolved-type.ts';

export type Amounts = Pick<InstanceType, 'capacity' | 'allocatable'>;

/** What a machine of one type was seen to keep from pods beyond the formulas. */
interface Withheld {
  /** Of the type, by the formula. */
  readonly capacity: Resources;
  readonly amounts: Resources;
}

/** What a system may keep for itself. Disks and numbers of pods follow other rules. */
const keptBySystem = ['cpu', 'memory'];

/**
 * What machines of the class have and leave to pods, by its types. A type that has been seen leaves
 * no more than it was seen to. One that has not is taken to keep back as much as others with its
 * image: of a larger machine the same amount, of a smaller one its share. What somebody's own user
 * data reserves grows with the machine, if at all, and hardly faster than it.
 */
export function expectedRoom(
  types: readonly ResolvedType[],
  learned: LearnedMachines,
  classHash: string,
): (type: ResolvedType) => Amounts {
  const withheld = new Map<string, Withheld[]>();
  for (const type of types) {
    const room = learned.roomOf(type.name, type.imageId ?? '', classHash);
    if (room === undefined || type.imageId === undefined) continue;
    const amounts = shortOf(byFormula(type, learned).allocatable, room);
    if (Object.keys(amounts).length === 0) continue;
    const ofImage = withheld.get(type.imageId) ?? [];
    ofImage.push({ capacity: type.capacity, amounts });
    withheld.set(type.imageId, ofImage);
  }
  return (type) => {
    const { capacity, allocatable } = byFormula(type, learned);
    const room = learned.roomOf(type.name, type.imageId ?? '', classHash);
    if (room !== undefined)
      return { capacity, allocatable: { ...allocatable, ...smallest(allocatable, room) } };
    const others = withheld.get(type.imageId ?? '');
    if (others === undefined) return { capacity, allocatable };
    return { capacity, allocatable: allocatableOf(allocatable, assumed(type.capacity, others)) };
  };
}

/** With the memory that Nodes of the type have reported, where there were any. */
function byFormula({ name, imageId, ...type }: ResolvedType, learned: LearnedMachines): Amounts {
  const memory = imageId === undefined ? undefined : learned.memoryOf(name, imageId);
  if (memory === undefined) return { capacity: type.capacity, allocatable: type.allocatable };
  const capacity = { ...type.capacity, memory };
  return { capacity, allocatable: allocatableOf(capacity, type.overhead) };
}

function shortOf(expected: Resources, room: Resources): Resources {
  const short: Record<string, number> = {};
  for (const name of keptBySystem) {
    const amount = (expected[name] ?? 0) - (room[name] ?? Infinity);
    if (amount > 0) short[name] = amount;
  }
  return short;
}

/** The most of what the others let expect of a machine of this capacity. */
function assumed(capacity: Resources, others: readonly Withheld[]): Resources {
  const most: Record<string, number> = {};
  for (const { capacity: theirs, amounts } of others)
    for (const [name, amount] of Object.entries(amounts)) {
      const share = Math.min(1, (capacity[name] ?? 0) / (theirs[name] ?? Infinity));
      most[name] = Math.max(most[name] ?? 0, Math.floor(amount * share));
    }
  return most;
}
