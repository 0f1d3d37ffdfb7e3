import type { ConditionStatement } from '../conditions.ts';
import { nearestWord } from '../nearest-word.ts';
import type { KubeObject } from '../resource.ts';
import { type Path, pathText } from '../value.ts';
import type { OpenApi } from './vocabulary.ts';

/** A field of a manifest that its kind does not have. */
export interface UnknownField {
  readonly path: Path;
  /** The fields that the kind has in that place. */
  readonly known: readonly string[];
  /** The one of them that is spelled much like it. */
  readonly meant: string | undefined;
}

/** The schema of one version of a kind, as its CustomResourceDefinition holds it. */
export interface VersionedSchema {
  /** `karpenter.sh/v1` */
  readonly apiVersion: string;
  readonly schema: OpenApi;
}

/** Every field of a manifest below its metadata that the schema does not name, in its order. */
export function unknownFields(manifest: unknown, schema: OpenApi): readonly UnknownField[] {
  if (!isObject(manifest)) return [];
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest } = manifest;
  return [...unknownIn(rest, schema, [])];
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The fields that somebody applied and the API server dropped, since no version of the kind has
 * them. What was sent is known from the annotation that `kubectl apply` and Argo CD leave; an
 * object without it, or applied in a version without a schema here, has none.
 */
export function droppedFields(
  object: KubeObject,
  versions: readonly VersionedSchema[],
): readonly UnknownField[] {
  const manifest = parsed(object.metadata.annotations?.[lastApplied]);
  if (!isObject(manifest)) return [];
  const sent = versions.find(({ apiVersion }) => apiVersion === manifest.apiVersion);
  return sent === undefined ? [] : unknownFields(manifest, sent.schema);
}

/** The type of the condition that tells of dropped fields. It stands only where there are some. */
export const fieldsKnown = 'FieldsKnown';

const mostTold = 10;

/** What to say in a condition, or undefined when every field is known. */
export function fieldsKnownCondition(
  fields: readonly UnknownField[],
): ConditionStatement | undefined {
  if (fields.length === 0) return undefined;
  const told = fields.slice(0, mostTold).map(fieldText);
  const rest = fields.length - told.length;
  const more = rest === 0 ? '' : `, and ${rest} more`;
  return {
    type: fieldsKnown,
    status: 'False',
    reason: 'UnknownFields',
    message: `these fields were applied, but the kind does not have them and they have no effect: ${told.join(', ')}${more}`,
  };
}

const longestTold = 200;

function fieldText({ path, meant }: UnknownField): string {
  const text = pathText(path);
  const shown = text.length > longestTold ? `${text.slice(0, longestTold)}…` : text;
  return meant === undefined ? shown : `${shown} (did you mean ${meant}?)`;
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    // Anybody may write an annotation; one that is no JSON says nothing of what was applied.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Goes no deeper than the schema does, so that deep manifests cost nothing. */
function* unknownIn(value: unknown, schema: OpenApi, path: Path): Generator<UnknownField> {
  const { items, additionalProperties } = schema;
  if (Array.isArray(value) && isObject(items)) {
    for (const [index, item] of value.entries()) yield* unknownIn(item, items, [...path, index]);
  }
  if (!isObject(value) || schema['x-kubernetes-preserve-unknown-fields'] === true) return;
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [key, child] of Object.entries(value)) {
    const at = [...path, key];
    const property = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (isObject(property)) yield* unknownIn(child, property, at);
    else yield unknown(at, key, Object.keys(properties));
  }
}

function unknown(path: Path, key: string, known: readonly string[]): UnknownField {
  return { path, known, meant: nearestWord(key, known) };
}
