import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { customResourceDefinitions } from '../crds.ts';
import { pathText } from '../value.ts';
import {
  droppedFields,
  fieldsKnownCondition,
  unknownFields,
  type VersionedSchema,
} from './unknown-fields.ts';
import type { OpenApi } from './vocabulary.ts';

const nodePool: VersionedSchema = {
  apiVersion: 'karpenter.sh/v1',
  schema: schemaOf('nodepools.karpenter.sh'),
};

function schemaOf(name: string): OpenApi {
  const crds = customResourceDefinitions().filter(({ metadata }) => metadata.name === name);
  const versions = crds.flatMap(
    ({ spec }) => spec.versions as readonly { schema: { openAPIV3Schema: OpenApi } }[],
  );
  return versions[0]?.schema.openAPIV3Schema ?? {};
}

function applied(manifest: unknown) {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': text };
  return { metadata: { name: 'pool', annotations } };
}

describe('fields that the kind does not have', () => {
  test('are named with their place, and with the field that was probably meant', () => {
    const manifest = {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'a', anything: true },
      spec: {
        disruption: { consolidateAfer: '30s', ttl: 5 },
        template: { spec: { requirements: [{ key: 'a', operator: 'In', value: ['b'] }] } },
        limits: { 'any.resource/at-all': 1 },
      },
      extra: {},
    };
    const found = unknownFields(manifest, nodePool.schema);
    expect(found.map(({ path, meant }) => [pathText(path), meant])).toEqual([
      ['spec.disruption.consolidateAfer', 'consolidateAfter'],
      ['spec.disruption.ttl', undefined],
      ['spec.template.spec.requirements[0].value', 'values'],
      ['extra', undefined],
    ]);
    expect(found[2]?.known).toEqual(['key', 'minValues', 'operator', 'values']);
  });

  test('are found in what was applied, since the stored object has lost them', () => {
    const manifest = { apiVersion: 'karpenter.sh/v1', spec: { colour: 'blue' } };
    expect(droppedFields(applied(manifest), [nodePool])).toMatchObject([
      { path: ['spec', 'colour'] },
    ]);
  });

  test.each([
    { name: 'an object that nobody applied', object: { metadata: { name: 'a' } } },
    { name: 'an annotation that is no JSON', object: applied('{') },
    { name: 'an annotation that is no object', object: applied('[1]') },
    {
      name: 'a version that we do not know',
      object: applied({ apiVersion: 'v0', spec: { a: 1 } }),
    },
  ])('are none in $name', ({ object }) => {
    expect(droppedFields(object, [nodePool])).toEqual([]);
  });

  test('make a condition that says so, and none when there are none', () => {
    const statement = fieldsKnownCondition([
      { path: ['spec', 'colour'], known: [], meant: undefined },
      { path: ['spec', 'weigth'], known: ['weight'], meant: 'weight' },
    ]);
    expect(statement).toMatchObject({
      type: 'FieldsKnown',
      status: 'False',
      reason: 'UnknownFields',
    });
    expect(statement?.message).toContain('spec.colour, spec.weigth (did you mean weight?)');
    expect(fieldsKnownCondition([])).toBe(undefined);
  });

  test('never make a message that a condition cannot hold', () => {
    const many = Array.from({ length: 5000 }, (_, i) => ({
      path: ['spec', `${'x'.repeat(500)}${i}`],
      known: [],
      meant: undefined,
    }));
    const message = fieldsKnownCondition(many)?.message ?? '';
    expect(message).toContain('and 4990 more');
    expect(message.length).toBeLessThan(32768);
  });

  test('are told of any JSON without failing', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(droppedFields(applied(text), [nodePool])).toEqual([]);
        const spec = `{"apiVersion":"karpenter.sh/v1","spec":${text}}`;
        expect(Array.isArray(droppedFields(applied(spec), [nodePool]))).toBe(true);
      }),
    );
  });

  test('are those of prototypes, too', () => {
    const manifest = JSON.parse('{"spec":{"__proto__":1,"constructor":{},"weight":1}}');
    const paths = unknownFields(manifest, nodePool.schema).map(({ path }) => pathText(path));
    expect(paths).toEqual(['spec.__proto__', 'spec.constructor']);
  });
});
