import { describe, expect, test } from 'vitest';
import { type CustomResourceDefinition, customResourceDefinitions } from '../../../src/api/crds.ts';
import { originalDefinitions } from './original.ts';

type Value = { readonly [key: string]: unknown };

const ours = new Map(customResourceDefinitions().map((crd) => [crd.metadata.name, crd]));

test('we define exactly the kinds that the original defines', () => {
  expect([...ours.keys()].sort()).toEqual(
    originalDefinitions()
      .map((crd) => crd.metadata.name)
      .sort(),
  );
});

describe.each(originalDefinitions())('$metadata.name', (original) => {
  const own = ours.get(original.metadata.name);

  test('has the names, scope, versions, columns and subresources of the original', () => {
    expect(withoutSchema(own)).toEqual(withoutSchema(original));
  });

  test('has the fields, types, limits and defaults of the original, with rules in the same places', () => {
    expect(schemaOf(own)).toEqual(schemaOf(original));
  });
});

function withoutSchema(crd: CustomResourceDefinition | undefined): unknown {
  const { versions, ...spec } = specOf(crd);
  return { ...spec, versions: versions.map(({ schema: _schema, ...rest }) => plain(rest)) };
}

function schemaOf(crd: CustomResourceDefinition | undefined): Readonly<Record<string, unknown>> {
  const { versions } = specOf(crd);
  return Object.fromEntries(
    versions.flatMap(({ name, schema }) => [...placesOf(schema.openAPIV3Schema, name)]),
  );
}

function specOf(crd: CustomResourceDefinition | undefined) {
  return crd?.spec as {
    readonly versions: readonly (Value & { name: string; schema: { openAPIV3Schema: Value } })[];
  };
}

/** Every place of a schema with what it says there; what people read is left out. */
function* placesOf(schema: Value, path: string): Generator<readonly [string, unknown]> {
  const { properties, items, additionalProperties, ...own } = schema;
  yield [path, plain(own)];
  for (const [name, child] of Object.entries((properties ?? {}) as Value)) {
    yield* placesOf(child as Value, `${path}.${name}`);
  }
  if (items !== undefined) yield* placesOf(items as Value, `${path}[]`);
  if (additionalProperties !== undefined)
    yield* placesOf(additionalProperties as Value, `${path}{}`);
}

function plain(value: Value): Value {
  const { description: _description, 'x-kubernetes-validations': rules, ...rest } = value;
  const sorted = Object.entries(rest).map(([key, one]) => [key, inAnyOrder(key, one)]);
  return { ...Object.fromEntries(sorted), hasRules: Array.isArray(rules) && rules.length > 0 };
}

function inAnyOrder(key: string, value: unknown): unknown {
  if (key === 'additionalPrinterColumns') return (value as Value[]).map(plain);
  const isSet = key === 'enum' || key === 'required';
  return isSet ? [...(value as string[])].sort() : value;
}
