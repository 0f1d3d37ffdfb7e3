import { customResourceDefinitions } from '../crds.ts';
import { type UnknownField, unknownFields } from '../schema/unknown-fields.ts';
import { listAt, mapAt, pathText, textAt, type Value, type ValueMap } from '../value.ts';
import { type Finding, finding } from './finding.ts';

/** Fields of an object that its v1 schema has no place for, with the name that was likely meant. */
export function strangeFields(object: Value): readonly Finding[] {
  const schema = schemaOf(object);
  return schema === undefined ? [] : unknownFields(object, schema).map(strangeField);
}

/** The schema of the object's kind in its version, or undefined where the kind is none of ours. */
function schemaOf(object: Value): ValueMap | undefined {
  const { apiVersion, kind } = mapAt(object, []);
  return schemas.get(`${String(apiVersion)} ${String(kind)}`);
}

const schemas: ReadonlyMap<string, ValueMap> = new Map(
  (customResourceDefinitions() as unknown as readonly Value[]).flatMap((definition) => {
    const { group, names, versions } = mapAt(definition, ['spec']);
    return listAt(versions, []).map((version): readonly [string, ValueMap] => [
      `${String(group)}/${textAt(version, ['name'])} ${textAt(names, ['kind'])}`,
      mapAt(version, ['schema', 'openAPIV3Schema']),
    ]);
  }),
);

function strangeField({ path, known, meant }: UnknownField): Finding {
  return finding('KTS002', {
    path,
    sentence: `${pathText(path)} is no field of v1; the API server refuses it or drops it`,
    fix: meant === undefined ? removal(known) : `write ${meant} if that is meant, or remove it`,
  });
}

/** What is a number or a text has no fields at all. */
function removal(known: readonly string[]): string {
  return known.length === 0 ? 'remove it' : `remove it; here stand ${known.join(', ')}`;
}
