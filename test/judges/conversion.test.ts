import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { keptIn } from '../../src/api/conversion/annotations.ts';
import { convertObject } from '../../src/api/conversion/convert.ts';
import { objectAt, omit, type Plain } from '../../src/api/conversion/plain.ts';
import { type Sample, samples } from './conversion/random-objects.ts';
import { askJudge, buildJudge } from './go-judge.ts';

const count = 500;
const seed = 8;
const pools: Readonly<Record<string, string>> = { known: '48h' };
const aids = { expireAfterOf: (name: string) => pools[name] };
let judge = '';

beforeAll(async () => {
  judge = await buildJudge('conversion');
});

describe.each(samples)('$kind', (sample) => {
  test('500 objects of v1beta1 become the v1 objects that the original makes of them', async () => {
    const betas = drawn(sample, 'v1beta1');
    const ours = betas.map((beta) => converted(beta, `${sample.group}/v1`));
    const theirs = await asked(sample, 'v1beta1', 'convert', betas);
    expect(differing(betas, await asked(sample, 'v1', 'read', ours), theirs)).toEqual([]);
  });

  test('500 objects of v1 become the v1beta1 objects that the original makes of them', async () => {
    const v1s = drawn(sample, 'v1');
    const ours = v1s.map((v1) => withoutKept(converted(v1, `${sample.group}/v1beta1`)));
    const theirs = await asked(sample, 'v1', 'convert', v1s);
    expect(differing(v1s, await asked(sample, 'v1beta1', 'read', ours), theirs)).toEqual([]);
  });

  test('on the way to v1 and back nothing of v1beta1 is lost, as with the original', async () => {
    const betas = drawn(sample, 'v1beta1');
    const v1s = betas.map((beta) => converted(beta, `${sample.group}/v1`));
    const ours = v1s.map((v1) => withoutKept(converted(v1, `${sample.group}/v1beta1`)));
    const read = await asked(sample, 'v1', 'read', v1s);
    const theirs = await asked(
      sample,
      'v1',
      'convert',
      read.map((one) => objectAt(one, 'object')),
    );
    expect(differing(betas, await asked(sample, 'v1beta1', 'read', ours), theirs)).toEqual([]);
  });
});

function drawn({ kind, group, ...versions }: Sample, version: 'v1' | 'v1beta1'): readonly Plain[] {
  const objects = fc.sample(versions[version], { numRuns: count, seed });
  return objects.map((object) => ({ apiVersion: `${group}/${version}`, kind, ...object }));
}

function converted(object: Plain, desired: string): Plain {
  const result = convertObject(object, desired, aids);
  if (result.kind === 'failed') throw new Error(result.message);
  return result.object;
}

/** What only v1 can say: the original drops it, we keep it in an annotation. */
function withoutKept(beta: Plain): Plain {
  const metadata = objectAt(beta, 'metadata');
  const annotations = omit(objectAt(metadata, 'annotations'), [keptIn.v1]);
  return { ...beta, metadata: { ...metadata, annotations } };
}

async function asked(
  { kind }: Sample,
  from: string,
  ask: 'convert' | 'read',
  objects: readonly Plain[],
): Promise<readonly Plain[]> {
  const said = await askJudge(
    judge,
    objects.map((object) => ({ ask, kind, from, object, pools })),
  );
  return said.map((line) => JSON.parse(line) as Plain);
}

/** Both have been written by the same Go types, so that order and spelling are the same. */
function differing(
  inputs: readonly Plain[],
  ours: readonly Plain[],
  theirs: readonly Plain[],
): readonly unknown[] {
  expect(theirs.filter(({ error }) => error !== undefined)).toEqual([]);
  return inputs
    .map((input, i) => ({ input, ours: ours[i], theirs: theirs[i] }))
    .filter(({ ours: a, theirs: b }) => JSON.stringify(a) !== JSON.stringify(b))
    .slice(0, 2);
}
