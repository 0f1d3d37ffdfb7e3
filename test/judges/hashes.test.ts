import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { nodeClassHash } from '../../src/api/hash/node-class-hash.ts';
import { nodePoolHash } from '../../src/api/hash/node-pool-hash.ts';
import type { EC2NodeClass } from '../../src/api/karpenter/ec2-node-class.ts';
import type { NodePool } from '../../src/api/karpenter/node-pool.ts';
import { askJudge, buildJudge } from './go-judge.ts';
import { ec2NodeClass, nodePool } from './hashes/random-objects.ts';

const count = 500;
const seed = 4;
let judge = '';

beforeAll(async () => {
  judge = await buildJudge('hashes');
});

test('500 random NodePools have the hashes that the original gives them', async () => {
  const pools = fc.sample(nodePool, { numRuns: count, seed });
  const said = await askJudge(
    judge,
    pools.map((object) => ({ kind: 'NodePool', object })),
  );
  const ours = pools.map((pool) => nodePoolHash(pool as unknown as NodePool));
  expect(differing(pools, ours, said)).toEqual([]);
});

test('500 random EC2NodeClasses have the hashes that the original gives them', async () => {
  const classes = fc.sample(ec2NodeClass, { numRuns: count, seed });
  const bundle = (i: number): string | undefined => (i % 3 === 0 ? undefined : `trust-${i}`);
  const said = await askJudge(
    judge,
    classes.map((object, i) => ({ kind: 'EC2NodeClass', object, caBundle: bundle(i) })),
  );
  const ours = classes.map((one, i) => nodeClassHash(one as unknown as EC2NodeClass, bundle(i)));
  expect(differing(classes, ours, said)).toEqual([]);
});

function differing(
  objects: readonly unknown[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly unknown[] {
  expect(new Set(theirs).size).toBeGreaterThan(count / 2);
  return objects
    .map((object, i) => ({ object, ours: ours[i], theirs: theirs[i] }))
    .filter(({ ours: a, theirs: b }) => a !== b)
    .slice(0, 3);
}
