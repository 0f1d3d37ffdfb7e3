import { customResourceDefinitions } from '../crds.ts';
import {
  isList,
  isMap,
  listAt,
  mapAt,
  type Path,
  pathText,
  textAt,
  type Value,
  type ValueMap,
} from '../legacy/value.ts';
import { type Finding, finding } from './finding.ts';
import { nearestName } from './nearest-name.ts';

/** Fields of an object that its v1 schema has no place for, with the name that was likely meant. */
export function unknownFields(object: Value): readonly Finding[] {
  const schema = schemaOf(object);
  if (schema === undefined || !isMap(object)) return [];
  const found: Finding[] = [];
  walk({ value: object, schema, path: [] }, found);
  return found;
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

interface Place {
  readonly value: Value;
  readonly schema: ValueMap;
  readonly path: Path;
}

function walk({ value, schema, path }: Place, found: Finding[]): void {
  if (isList(value)) {
    const items = schema.items;
    if (isMap(items))
      for (const [index, item] of value.entries())
        walk({ value: item, schema: items, path: [...path, index] }, found);
    return;
  }
  if (!isMap(value)) return;
  const properties = isMap(schema.properties) ? schema.properties : undefined;
  const others = schema.additionalProperties;
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    (properties === undefined && others === undefined);
  for (const [key, child] of Object.entries(value)) {
    const at = [...path, key];
    const own =
      properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : others;
    if (isMap(own)) walk({ value: child, schema: own, path: at }, found);
    else if (!isOpen && own !== true) found.push(unknownField(at, Object.keys(properties ?? {})));
  }
}

function unknownField(path: Path, known: readonly string[]): Finding {
  const name = String(path.at(-1));
  const meant = nearestName(name, known);
  return finding('KTS002', {
    path,
    sentence: `${pathText(path)} is no field of v1; the API server refuses it or drops it`,
    fix:
      meant === undefined
        ? `remove it; here stand ${known.join(', ')}`
        : `write ${meant} if that is meant, or remove it`,
  });
}
