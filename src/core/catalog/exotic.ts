import type { InstanceType } from './instance-type.ts';

const accelerators = [
  'nvidia.com/gpu',
  'amd.com/gpu',
  'habana.ai/gaudi',
  'aws.amazon.com/neuron',
  'aws.amazon.com/neuroncore',
];

/** Bare metal and accelerators: rare and dear, so that they are bought only if nothing else serves. */
export function isExotic({ name, capacity }: InstanceType): boolean {
  return name.includes('.metal') || accelerators.some((resource) => (capacity[resource] ?? 0) > 0);
}
