import { describe, expect, test } from 'vitest';
import { customResourceDefinitions } from '../../src/api/crds.ts';
import { chartWebhookAddress, withV1beta1 } from '../../src/api/v1beta1/definitions.ts';
import { originalDefinitions } from './crds/original.ts';

/** The last release that served v1beta1. */
const release = 'github.com/aws/karpenter-provider-aws@v1.0.8';

type Value = { readonly [key: string]: unknown };

const ours = new Map(
  withV1beta1(customResourceDefinitions(), chartWebhookAddress).map((crd) => [
    crd.metadata.name,
    crd,
  ]),
);

describe.each(originalDefinitions(release))('$metadata.name in v1beta1', (original) => {
  const own = ours.get(original.metadata.name);

  test('has every field of the original, of the same type, with the same default, as required', () => {
    expect(schemaOf(own?.spec)).toEqual(schemaOf(original.spec));
  });

  test('is served, not stored, and deprecated', () => {
    const { served, storage, deprecated } = versionOf(own?.spec);
    expect({ served, storage, deprecated }).toEqual({
      served: true,
      storage: false,
      deprecated: true,
    });
  });
});

function versionOf(spec: unknown): Value {
  const { versions } = spec as { readonly versions: readonly Value[] };
  const version = versions.find(({ name }) => name === 'v1beta1');
  if (version === undefined) throw new Error('there is no v1beta1');
  return version;
}

function schemaOf(spec: unknown): Value {
  const { openAPIV3Schema } = versionOf(spec).schema as { readonly openAPIV3Schema: Value };
  return Object.fromEntries(placesOf(openAPIV3Schema, 'object'));
}

/**
 * What is admitted in a place is another question: v1beta1 admits all that v1 does, so that what
 * can be read can be written. The field that v1 added to disks comes with that.
 */
function* placesOf(schema: Value, path: string): Generator<readonly [string, unknown]> {
  if (path.endsWith('.volumeInitializationRate')) return;
  const { type, default: preset, required = [] } = schema;
  yield [path, { type, preset, required: [...(required as string[])].sort() }];
  for (const [name, child] of Object.entries((schema.properties ?? {}) as Value)) {
    yield* placesOf(child as Value, `${path}.${name}`);
  }
  for (const key of ['items', 'additionalProperties']) {
    if (schema[key] !== undefined) yield* placesOf(schema[key] as Value, `${path}[]`);
  }
}
