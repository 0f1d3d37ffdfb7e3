import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { customResourceDefinitions } from '../../src/api/crds.ts';
import { integerBelow } from '../../src/ports/random.ts';
import type { JsonObject } from '../../src/world/kube/json.ts';
import type { JsonSchema } from '../../src/world/kube/schema/schema.ts';
import { mutant } from '../judges/crds/mutation.ts';
import { collectionOf } from '../judges/crds/question.ts';
import { allSamples, type Samples } from '../judges/crds/samples.ts';
import { type Answer, type Api, startApi } from './api.ts';

let api: Api;

beforeAll(async () => {
  api = startApi();
  for (const crd of customResourceDefinitions()) {
    await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  }
});

/** Every answer is one of these; anything else is a crash. */
function isClear({ status, body }: Answer): boolean {
  return (
    status === 201 ||
    ([400, 413, 422, 500].includes(status) &&
      body.kind === 'Status' &&
      body.reason !== 'InternalError')
  );
}

function manifest({ resource }: Samples, spec: unknown): JsonObject {
  const { group, version, kind } = resource;
  return { apiVersion: `${group}/${version}`, kind, metadata: { name: 'a' }, spec } as JsonObject;
}

function create(samples: Samples, body: unknown, type?: string): Promise<Answer> {
  return api.send('POST', `${collectionOf(samples.resource)}?dryRun=All`, body, type);
}

describe.each(allSamples)('a hostile $resource.kind', (samples) => {
  const name = `${samples.resource.plural}.${samples.resource.group}`;
  const schema = schemaOf(name);

  test('made of mutations gets a clear answer', async () => {
    const random = createSeededRandom(4);
    for (let i = 0; i < 1000; i++) {
      const sample = samples.specs[integerBelow(random, samples.specs.length)] ?? {};
      const body = manifest(samples, mutant(mutant(sample, schema, random), schema, random));
      const answer = await create(samples, body);
      if (!isClear(answer)) throw new Error(JSON.stringify({ body, answer }));
    }
  });

  test('made of any JSON gets a clear answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 5 }), async (text) => {
        const whole = JSON.stringify(manifest(samples, 0)).replace('"spec":0', `"spec":${text}`);
        expect(isClear(await create(samples, whole))).toBe(true);
        expect(isClear(await create(samples, text))).toBe(true);
      }),
      { numRuns: 500, seed: 5 },
    );
  });
});

describe('a document', () => {
  const [nodePool = allSamples[0]] = allSamples;
  const fill = (spec: string): string =>
    JSON.stringify(manifest(nodePool as Samples, 0)).replace('"spec":0', `"spec":${spec}`);
  const send = (body: string, type?: string): Promise<Answer> =>
    create(nodePool as Samples, body, type);

  test.each([
    { name: 'nested a hundred thousand times', body: fill('['.repeat(1e5) + ']'.repeat(1e5)) },
    {
      name: 'nested deep where one of a few texts is expected',
      body: fill(`{"disruption":{"consolidationPolicy":${'['.repeat(5000) + ']'.repeat(5000)}}}`),
    },
    { name: 'with a text of a megabyte', body: fill(JSON.stringify('x'.repeat(1e6))) },
    {
      name: 'with a schedule that takes forever to match',
      body: fill(
        JSON.stringify({
          disruption: { consolidateAfter: '1s', budgets: [{ schedule: `${' '.repeat(5e4)}\n` }] },
        }),
      ),
    },
    {
      name: 'with a hundred thousand requirements',
      body: fill(
        `{"template":{"spec":{"requirements":[${'{"key":"a","operator":"In"},'.repeat(1e5)}{}]}}}`,
      ),
    },
    {
      name: 'with keys of prototypes',
      body: fill('{"__proto__":{"template":1},"constructor":{}}'),
    },
    { name: 'cut short', body: fill('{').slice(0, -4) },
    { name: 'that is empty', body: '' },
  ])('$name is refused', async ({ body }) => {
    const answer = await send(body);
    expect(isClear(answer)).toBe(true);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  test.each([
    {
      name: 'a bomb of aliases',
      body: `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((key, i) => `${key}: &${key} [${`*${'abcdefghi'[i]},`.repeat(9)}]`)
        .join('\n')}\n`,
    },
    { name: 'an alias of itself', body: 'spec: &a {template: *a}\n' },
    { name: 'nested deep', body: `spec: ${'['.repeat(2e4)}${']'.repeat(2e4)}\n` },
    { name: 'of several documents', body: 'kind: NodePool\n---\nkind: NodePool\n' },
  ])('of YAML that is $name is refused', async ({ body }) => {
    const answer = await send(body, 'application/yaml');
    expect(isClear(answer)).toBe(true);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });
});

function schemaOf(name: string): JsonSchema {
  const crd = customResourceDefinitions().find(({ metadata }) => metadata.name === name);
  if (crd === undefined) throw new Error(`there is no definition ${name}`);
  const { versions } = crd.spec as {
    versions: readonly { schema: { openAPIV3Schema: JsonSchema } }[];
  };
  return versions[0]?.schema.openAPIV3Schema.properties?.spec ?? {};
}
