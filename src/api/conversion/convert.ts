import { annotationsOf, keptIn, withAnnotations } from './annotations.ts';
import { ec2NodeClassToV1, ec2NodeClassToV1beta1 } from './ec2-node-class.ts';
import { goJson } from './go-json.ts';
import { keptFields, readKeptFields, restored } from './kept-fields.ts';
import { nodeClaimToV1, nodeClaimToV1beta1 } from './node-claim.ts';
import { nodePoolToV1, nodePoolToV1beta1 } from './node-pool.ts';
import { objectAt, omit, type Plain, textAt } from './plain.ts';
import { ConversionError } from './template.ts';

/** What conversion has to ask of the cluster. */
export interface ConversionAids {
  /** The `expireAfter` of a NodePool, for claims of v1beta1, which have none; undefined if unknown. */
  readonly expireAfterOf: (poolName: string) => string | undefined;
}

/** What became of one object. */
export type Conversion =
  | { readonly kind: 'converted'; readonly object: Plain }
  | { readonly kind: 'failed'; readonly message: string };

interface Versions {
  readonly toV1: (beta: Plain) => Plain;
  readonly toV1beta1: (v1: Plain) => Plain;
}

const kinds: Readonly<Record<string, Versions>> = {
  'karpenter.sh/NodePool': { toV1: nodePoolToV1, toV1beta1: nodePoolToV1beta1 },
  'karpenter.sh/NodeClaim': { toV1: claimWithoutExpiry, toV1beta1: nodeClaimToV1beta1 },
  'karpenter.k8s.aws/EC2NodeClass': { toV1: ec2NodeClassToV1, toV1beta1: ec2NodeClassToV1beta1 },
};

/**
 * The object in another version of its kind. Nothing is lost on the way to v1beta1 and back: what
 * one version has no field for stands in an annotation of the other.
 */
export function convertObject(
  object: Plain,
  desiredApiVersion: string,
  aids: ConversionAids,
): Conversion {
  const [group = '', version = ''] = desiredApiVersion.split('/');
  const [ownGroup, ownVersion] = textAt(object, 'apiVersion').split('/');
  const kind = textAt(object, 'kind');
  const versions = Object.hasOwn(kinds, `${group}/${kind}`) ? kinds[`${group}/${kind}`] : undefined;
  if (versions === undefined || ownGroup !== group) return unknown(object, desiredApiVersion);
  if (ownVersion === version) return { kind: 'converted', object };
  try {
    if (version === 'v1' && ownVersion === 'v1beta1') {
      return { kind: 'converted', object: toV1(versions, object, aids) };
    }
    if (version === 'v1beta1' && ownVersion === 'v1') {
      return { kind: 'converted', object: toV1beta1(versions, object) };
    }
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return { kind: 'failed', message: error.message };
  }
  return unknown(object, desiredApiVersion);
}

/** Names of the pools whose expiry is asked for when these objects become v1. */
export function poolsAskedFor(objects: readonly Plain[]): readonly string[] {
  const names = objects
    .filter((object) => object.kind === 'NodeClaim')
    .filter((object) => textAt(object, 'apiVersion') === 'karpenter.sh/v1beta1')
    .map(poolOf);
  return [...new Set(names)].filter((name) => name !== '').sort();
}

function toV1beta1(versions: Versions, v1: Plain): Plain {
  const beta = versions.toV1beta1(v1);
  const kept = keptFields(v1, versions.toV1(beta));
  if (kept.length === 0) return beta;
  return { ...beta, metadata: withAnnotations(beta, { [keptIn.v1]: goJson(kept) }) };
}

function toV1(versions: Versions, beta: Plain, aids: ConversionAids): Plain {
  const kept = readKeptFields(annotationsOf(beta)[keptIn.v1] ?? '[]') ?? [];
  const plain = { ...beta, metadata: withAnnotations(beta, { [keptIn.v1]: undefined }) };
  const v1 = restored(versions.toV1(plain), kept);
  if (beta.kind !== 'NodeClaim' || textAt(v1, 'spec', 'expireAfter') !== '') return v1;
  const expireAfter = aids.expireAfterOf(poolOf(beta)) ?? 'Never';
  return { ...v1, spec: { ...objectAt(v1, 'spec'), expireAfter } };
}

/** Its own expiry, once kept, goes before the pool's of today: the spec of a claim never changes. */
function claimWithoutExpiry(beta: Plain): Plain {
  const v1 = nodeClaimToV1(beta);
  return { ...v1, spec: omit(objectAt(v1, 'spec'), ['expireAfter']) };
}

function poolOf(claim: Plain): string {
  return textAt(claim, 'metadata', 'labels', 'karpenter.sh/nodepool');
}

function unknown(object: Plain, desiredApiVersion: string): Conversion {
  const from = `${textAt(object, 'apiVersion')} ${textAt(object, 'kind')}`;
  return { kind: 'failed', message: `there is no conversion of ${from} to ${desiredApiVersion}` };
}
