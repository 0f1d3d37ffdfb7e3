import type { Overlay, PriceChange } from '../../core/catalog/overlay.ts';
import { requirementsOf } from '../../core/requirements/requirements.ts';
import type { NodeOverlay } from '../karpenter/node-overlay.ts';
import { decodeResources } from './resources.ts';

/** The NodeOverlay as decisions see it, and one sentence for each thing that cannot be read. */
export function decodeOverlay(object: NodeOverlay): {
  readonly overlay: Overlay;
  readonly invalid: readonly string[];
} {
  const { metadata, spec } = object;
  const capacity = decodeResources(spec.capacity, 'capacity');
  const price = priceChangeOf(spec);
  const text = spec.price ?? spec.priceAdjustment;
  const invalid = [...capacity.invalid];
  if (text !== undefined && price === undefined)
    invalid.push(`"${text}" is neither a price nor a change of one`);
  return {
    overlay: {
      name: metadata.name,
      weight: spec.weight ?? 0,
      requirements: requirementsOf(spec.requirements),
      price,
      capacity: capacity.resources,
    },
    invalid,
  };
}

function priceChangeOf({ price, priceAdjustment }: NodeOverlay['spec']): PriceChange | undefined {
  if (price !== undefined) {
    const usdPerHour = numberOf(price);
    return usdPerHour === undefined ? undefined : { kind: 'set', usdPerHour };
  }
  if (priceAdjustment === undefined) return undefined;
  const isShare = priceAdjustment.endsWith('%');
  const amount = numberOf(isShare ? priceAdjustment.slice(0, -1) : priceAdjustment);
  if (amount === undefined) return undefined;
  return isShare ? { kind: 'scale', percent: amount } : { kind: 'add', usdPerHour: amount };
}

function numberOf(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}
