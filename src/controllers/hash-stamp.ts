import { type NodeClaim, nodeClaims } from '../api/karpenter/node-claim.ts';
import { conditionOf, type KubeObject } from '../api/resource.ts';
import { isKubeError } from '../ports/kube.ts';
import type { Informer } from '../runtime/informer.ts';
import type { Context } from './context.ts';

/** A drift hash, and the annotations that carry it on an object and on the claims made from it. */
export interface HashStamp {
  readonly hash: string;
  readonly version: string;
  readonly hashKey: string;
  readonly versionKey: string;
}

export function stampAnnotations(stamp: HashStamp): Readonly<Record<string, string>> {
  return { [stamp.hashKey]: stamp.hash, [stamp.versionKey]: stamp.version };
}

/**
 * Writes the hash on the object, or nothing where it stands already. An object that carries
 * another version of hashing has its claims brought over first: should we die in between, the
 * object still says that it is to be done.
 */
export async function stampObject<T extends KubeObject>(
  { context, informer, object, claimIndex }: StampTarget<T>,
  stamp: HashStamp,
): Promise<T> {
  const { name, annotations: present = {} } = object.metadata;
  if (present[stamp.versionKey] !== stamp.version) {
    await bringOver(context, stamp, context.informers.nodeClaims.by(claimIndex, name));
  }
  const annotations = stampAnnotations(stamp);
  if (Object.entries(annotations).every(([key, value]) => present[key] === value)) return object;
  const body = { metadata: { annotations } };
  const stamped = await context.ports.kube.patch(
    informer.resource,
    { name },
    { type: 'merge', body },
  );
  informer.apply(stamped);
  return stamped;
}

/** The part of a loop's context that stamping needs. */
export interface StampContext {
  readonly ports: Pick<Context['ports'], 'kube'>;
  readonly informers: Pick<Context['informers'], 'nodeClaims'>;
}

export interface StampTarget<T extends KubeObject> {
  readonly context: StampContext;
  readonly informer: Informer<T>;
  readonly object: T;
  /** How claims are found by the object's name. */
  readonly claimIndex: 'pool' | 'node-class';
}

/**
 * Claims hashed in another way get the new hash, since the old one says nothing any more. One that
 * had drifted stays so: whether it still has cannot be known.
 */
async function bringOver(
  { ports, informers }: StampContext,
  stamp: HashStamp,
  claims: readonly NodeClaim[],
): Promise<void> {
  for (const claim of claims) {
    if (claim.metadata.annotations?.[stamp.versionKey] === stamp.version) continue;
    const hasDrifted = conditionOf(claim, 'Drifted') !== undefined;
    const annotations = hasDrifted
      ? { [stamp.versionKey]: stamp.version }
      : stampAnnotations(stamp);
    const key = { name: claim.metadata.name };
    try {
      const body = { metadata: { annotations } };
      informers.nodeClaims.apply(await ports.kube.patch(nodeClaims, key, { type: 'merge', body }));
    } catch (error) {
      if (!isKubeError(error, 'not-found')) throw error;
    }
  }
}
