import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import { smallest } from '../../../core/quantity/resources.ts';
import type { LearnedMachines } from './learned-machines.ts';
import { allocatableOf } from './machine-overhead.ts';
import type { ResolvedType } from './resolved-type.ts';

export type Amounts = Pick<InstanceType, 'capacity' | 'allocatable'>;

/**
 * What machines of the class have and leave to pods: by the formulas, and where some have been seen
 * no more than these do.
 */
export function expectedRoom(
  learned: LearnedMachines,
  classHash: string,
): (type: ResolvedType) => Amounts {
  return (type) => {
    const { capacity, allocatable } = byFormula(type, learned);
    const room = learned.roomOf(type.name, type.imageId ?? '', classHash);
    if (room === undefined) return { capacity, allocatable };
    return { capacity, allocatable: { ...allocatable, ...smallest(allocatable, room) } };
  };
}

/** With the memory that Nodes of the type have reported, where there were any. */
function byFormula({ name, imageId, ...type }: ResolvedType, learned: LearnedMachines): Amounts {
  const memory = imageId === undefined ? undefined : learned.memoryOf(name, imageId);
  if (memory === undefined) return { capacity: type.capacity, allocatable: type.allocatable };
  const capacity = { ...type.capacity, memory };
  return { capacity, allocatable: allocatableOf(capacity, type.overhead) };
}
