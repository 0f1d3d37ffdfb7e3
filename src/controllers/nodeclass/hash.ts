import { nodeClassHash, nodeClassHashVersion } from '../../api/hash/node-class-hash.ts';
import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import { annotations } from '../../core/requirements/well-known.ts';
import type { Context } from '../context.ts';
import { type HashStamp, stampObject } from '../hash-stamp.ts';

/** What claims launched by the class are stamped with, so that drift can be told later. */
export function nodeClassStamp({ settings }: Context, nodeClass: EC2NodeClass): HashStamp {
  return {
    hash: nodeClassHash(nodeClass, settings.clusterCaBundle),
    version: nodeClassHashVersion,
    hashKey: annotations.nodeClassHash,
    versionKey: annotations.nodeClassHashVersion,
  };
}

/** The class with its hash, and its claims with hashes of the same version. */
export function stampNodeClass(context: Context, nodeClass: EC2NodeClass): Promise<EC2NodeClass> {
  const informer = context.informers.nodeClasses;
  return stampObject(
    { context, informer, object: nodeClass, claimIndex: 'node-class' },
    nodeClassStamp(context, nodeClass),
  );
}
