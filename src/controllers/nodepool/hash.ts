import { nodePoolHash, nodePoolHashVersion } from '../../api/hash/node-pool-hash.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import { annotations } from '../../core/requirements/well-known.ts';
import type { Context } from '../context.ts';
import { type HashStamp, stampObject } from '../hash-stamp.ts';

/** What claims made from the pool are stamped with, so that drift can be told later. */
export function nodePoolStamp(pool: NodePool): HashStamp {
  return {
    hash: nodePoolHash(pool),
    version: nodePoolHashVersion,
    hashKey: annotations.nodePoolHash,
    versionKey: annotations.nodePoolHashVersion,
  };
}

/** The pool with its hash, and its claims with hashes of the same version. */
export function stampNodePool(context: Context, pool: NodePool): Promise<NodePool> {
  const informer = context.informers.nodePools;
  return stampObject({ context, informer, object: pool, claimIndex: 'pool' }, nodePoolStamp(pool));
}
