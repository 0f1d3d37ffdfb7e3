import type { NodePool } from '../karpenter/node-pool.ts';
import { decimal } from './fnv.ts';
import { duration, list, map, plain, pointer, struct, text, time } from './structure.ts';

/** The way of hashing; another version means that hashes cannot be compared. */
export const nodePoolHashVersion = 'v3';

/**
 * What of a NodePool its nodes were made from, as one number: labels, annotations, taints, the
 * node class and the two durations of the template. A claim with another number has drifted.
 * The same number as the original's, so that a cluster that changes over to us drifts nothing.
 */
export function nodePoolHash(pool: Pick<NodePool, 'spec'>): string {
  const { metadata, spec } = pool.spec.template;
  const { expireAfter, ...others } = spec;
  const lasting = expireAfter === 'Never' ? others : spec;
  // Go's metadata is a struct by value: without labels and annotations it is left out.
  const isBare = (metadata?.labels ?? metadata?.annotations ?? null) === null;
  return decimal(template.hash(isBare ? { spec: lasting } : { metadata, spec: lasting }));
}

const taint = struct('Taint', [
  plain('Key', 'key', text),
  plain('Value', 'value', text),
  plain('Effect', 'effect', text),
  pointer('TimeAdded', 'timeAdded', time),
]);

const template = struct('NodeClaimTemplate', [
  pointer(
    'ObjectMeta',
    'metadata',
    struct('ObjectMeta', [
      pointer('Labels', 'labels', map(text)),
      pointer('Annotations', 'annotations', map(text)),
    ]),
  ),
  pointer(
    'Spec',
    'spec',
    struct('NodeClaimTemplateSpec', [
      pointer('Taints', 'taints', list(taint)),
      pointer('StartupTaints', 'startupTaints', list(taint)),
      pointer(
        'NodeClassRef',
        'nodeClassRef',
        struct('NodeClassReference', [
          plain('Kind', 'kind', text),
          plain('Name', 'name', text),
          plain('Group', 'group', text),
        ]),
      ),
      pointer('TerminationGracePeriod', 'terminationGracePeriod', duration('Duration', 'left-out')),
      pointer('ExpireAfter', 'expireAfter', duration('NillableDuration', 'counted')),
    ]),
  ),
]);
