import type { NodeOverlay } from '../../api/karpenter/node-overlay.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { requirementFaults } from '../nodepool/validation.ts';

/** What the cloud and the kubelet know best. */
const fixedResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** What of the NodeOverlay cannot work though its schema allowed it, as sentences. */
export function overlayFaults({ spec }: NodeOverlay): readonly string[] {
  return [
    ...spec.requirements
      // A pool may be meant by its name here, though no pool may ask for it itself.
      .filter(({ key }) => key !== labels.nodePool)
      .flatMap(requirementFaults),
    ...spec.requirements
      .filter(({ operator, values }) => operator === 'NotIn' && (values?.length ?? 0) === 0)
      .map(({ key }) => `requirement ${key} NotIn has no values`),
    ...Object.keys(spec.capacity ?? {})
      .filter((name) => fixedResources.has(name))
      .map((name) => `capacity ${name} cannot be overlaid`),
    ...(spec.price !== undefined && spec.priceAdjustment !== undefined
      ? ['price and priceAdjustment exclude each other']
      : []),
  ];
}
