import type { CapacityType } from '../../../core/catalog/instance-type.ts';

/** Families that share the quota of "standard" instances. */
const standardFamilies = ['a', 'c', 'd', 'h', 'i', 'im', 'is', 'm', 'r', 't', 'z'];
const standard: ReadonlySet<string> = new Set(standardFamilies);

/** EC2 has one vCPU quota per way of buying for standard families, and one for each kind of others. */
export function quotaOf(machine: {
  readonly capacityType: CapacityType;
  readonly instanceType: string;
}): string {
  const family = /^[a-z]+/.exec(machine.instanceType)?.[0] ?? '';
  return `${machine.capacityType}:${standard.has(family) ? 'standard' : family}`;
}
