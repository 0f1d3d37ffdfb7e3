import { describe, expect, test } from 'vitest';
import { customResourceDefinitions } from './crds.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

function faults(schema: Schema, path: string): readonly string[] {
  const own = [
    ...(schema.type === undefined && schema['x-kubernetes-int-or-string'] !== true
      ? [`${path} has no type`]
      : []),
    ...(schema.required ?? [])
      .filter((name) => schema.properties?.[name] === undefined)
      .map((name) => `${path} requires ${name}, which it does not define`),
  ];
  const children = Object.entries(schema.properties ?? {}).flatMap(([name, child]) =>
    faults(child, `${path}.${name}`),
  );
  const items = schema.items === undefined ? [] : faults(schema.items, `${path}[]`);
  const values =
    schema.additionalProperties === undefined
      ? []
      : faults(schema.additionalProperties, `${path}{}`);
  return [...own, ...children, ...items, ...values];
}

function undescribed(schema: Schema, path: string): readonly string[] {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'metadata');
  return [
    ...fields
      .filter(([, field]) => field.description === undefined)
      .map(([name]) => `${path}.${name}`),
    ...fields.flatMap(([name, field]) => undescribed(field, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : undescribed(schema.items, `${path}[]`)),
  ];
}

describe.each(customResourceDefinitions())('$metadata.name', ({ metadata, spec }) => {
  const { versions, names, group } = spec as {
    versions: readonly {
      name: string;
      schema: { openAPIV3Schema: Schema };
      served: boolean;
      storage: boolean;
    }[];
    names: { plural: string };
    group: string;
  };

  test('is structural: every place has a type and requires only what it defines', () => {
    for (const version of versions)
      expect(faults(version.schema.openAPIV3Schema, metadata.name)).toEqual([]);
  });

  test('is named after its plural and group, with one version that is served and stored', () => {
    expect(metadata.name).toBe(`${names.plural}.${group}`);
    expect(versions.map(({ served, storage }) => ({ served, storage }))).toEqual([
      { served: true, storage: true },
    ]);
  });

  test('has a sentence about every field', () => {
    for (const version of versions)
      expect(undescribed(version.schema.openAPIV3Schema, metadata.name)).toEqual([]);
  });
});
