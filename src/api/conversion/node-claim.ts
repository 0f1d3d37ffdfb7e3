import { keptIn, withAnnotations } from './annotations.ts';
import { isPlain, objectAt, omit, type Plain, pick } from './plain.ts';
import {
  keptOf,
  kubeletToV1beta1,
  refToV1,
  refToV1beta1,
  requirements,
  specOf,
} from './template.ts';

/**
 * A NodeClaim of v1beta1 as v1. It has no expiry of its own there: `poolExpireAfter` is what its
 * NodePool says, and without a pool the machine is never too old.
 */
export function nodeClaimToV1(beta: Plain, poolExpireAfter = 'Never'): Plain {
  const spec = specOf(beta);
  return {
    ...beta,
    apiVersion: 'karpenter.sh/v1',
    metadata: withAnnotations(beta, keptOf(spec)),
    spec: {
      ...omit(spec, ['kubelet']),
      ...requirements(spec),
      nodeClassRef: refToV1(spec.nodeClassRef),
      expireAfter: poolExpireAfter,
    },
  };
}

const statusFields = ['nodeName', 'providerID', 'imageID', 'capacity', 'allocatable', 'conditions'];

/** A NodeClaim of v1 as v1beta1: the way back. What v1beta1 has no field for is left out. */
export function nodeClaimToV1beta1(claim: Plain): Plain {
  const spec = specOf(claim);
  return {
    ...pick(claim, ['kind']),
    apiVersion: 'karpenter.sh/v1beta1',
    metadata: withAnnotations(claim, {
      [keptIn.kubelet]: undefined,
      [keptIn.nodeClassRef]: undefined,
      [keptIn.migrated]: undefined,
    }),
    spec: {
      ...pick(spec, ['taints', 'startupTaints', 'resources']),
      ...requirements(spec),
      ...kubeletToV1beta1(claim),
      nodeClassRef: refToV1beta1(claim, spec.nodeClassRef),
    },
    ...(isPlain(claim.status) ? { status: pick(objectAt(claim, 'status'), statusFields) } : {}),
  };
}
