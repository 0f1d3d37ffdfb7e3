import type { InstanceType } from '../catalog/instance-type.ts';
import type { Stock } from './stock.ts';

const accelerators = [
  'nvidia.com/gpu',
  'amd.com/gpu',
  'habana.ai/gaudi',
  'aws.amazon.com/neuron',
  'aws.amazon.com/neuroncore',
];

/**
 * Bare metal and accelerators. A launch that may be anything else leaves them out, so that an
 * order for other machines gains nothing by naming them.
 */
export function isExotic({ name, capacity }: InstanceType): boolean {
  return name.includes('.metal') || accelerators.some((resource) => (capacity[resource] ?? 0) > 0);
}

/** By shape of the stock: 1 where its type is exotic. */
export function exoticIn({ shapes, memory }: Stock): Uint8Array {
  const known = memory.get('exotic');
  if (known instanceof Uint8Array) return known;
  const mask = Uint8Array.from(shapes, ({ type }) => (isExotic(type) ? 1 : 0));
  memory.set('exotic', mask);
  return mask;
}
