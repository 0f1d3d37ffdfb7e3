import { apiVersionOf } from '../../../api/resource.ts';
import { builtInShape } from '../../../api/shape/built-in.ts';
import { type ApiObject, emptyObject, type JsonObject, objectAt, textAt } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { prune } from '../schema/prune.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { shapeOf } from '../shape/shape-of.ts';
import { badRequest } from '../status/status.ts';
import { decodeBuiltIn } from './built-in.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { toCoreEvent } from './event-versions.ts';

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export interface DecodeOptions {
  readonly validation: FieldValidation;
  /** The JSON text, where fields given twice should be found; empty to skip that. */
  readonly text?: string | undefined;
}

export interface DecodedObject {
  /** As it is stored: known fields only, without `apiVersion` and `kind`. */
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

/** Reads a client's object as one of a kind; throws a 400 when it is none. */
export function decodeObject(
  kind: Kind,
  value: JsonObject,
  { validation, text = '' }: DecodeOptions,
): DecodedObject {
  checkType(kind, value);
  const { apiVersion: _apiVersion, kind: _kind, ...fields } = value;
  const { object, unknown } = kind.isCustom ? readCustom(kind, fields) : readBuiltIn(kind, fields);
  const repeated = validation === 'Ignore' || text === '' ? [] : duplicateFields(text);
  const problems = [
    ...unknown.map((path) => `unknown field "${path}"`),
    ...repeated.map((path) => `duplicate field "${path}"`),
  ];
  if (validation === 'Strict' && problems.length > 0) {
    throw unusable(kind, `strict decoding error: ${problems.join(', ')}`);
  }
  const stored = kind.group === 'events.k8s.io' ? toCoreEvent(object) : object;
  return { object: stored, warnings: validation === 'Ignore' ? [] : problems };
}

function checkType(kind: Kind, value: JsonObject): void {
  const apiVersion = textAt(value, 'apiVersion') ?? '';
  const given = textAt(value, 'kind') ?? '';
  if (kind.isCustom && given === '') {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): Object 'Kind' is missing in '${JSON.stringify(value)}'`,
    );
  }
  if (given !== '' && given !== kind.kind) {
    throw badRequest(
      `${given} in version "${apiVersion.split('/').at(-1)}" cannot be handled as a ${kind.kind}: converting (v1.${given}) to (core.${kind.kind}): unknown conversion`,
    );
  }
  const expected = apiVersionOf(kind);
  if (apiVersion !== '' && apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
}

interface Read {
  readonly object: ApiObject;
  readonly unknown: readonly string[];
}

function readBuiltIn(kind: Kind, fields: JsonObject): Read {
  const { value, unknown, mismatch } = decodeBuiltIn(fields, shapeOf(kind));
  if (mismatch !== undefined) throw unusable(kind, mismatch);
  return { object: withMetadata(value, objectAt(value, 'metadata')), unknown };
}

function readCustom(kind: Kind, fields: JsonObject): Read {
  const pruned = prune(fields, (kind.schema ?? emptyObject) as JsonSchema);
  const metadata = decodeBuiltIn(objectAt(fields, 'metadata'), builtInShape('ObjectMeta'));
  if (metadata.mismatch !== undefined) throw unusable(kind, metadata.mismatch);
  const unknown = [...pruned.unknown, ...metadata.unknown.map((path) => `metadata.${path}`)];
  return { object: withMetadata(pruned.value, metadata.value), unknown };
}

function withMetadata(value: JsonObject, metadata: JsonObject): ApiObject {
  const name = textAt(metadata, 'name') ?? '';
  // Clients write `creationTimestamp: null`, and some an empty namespace.
  const { namespace, creationTimestamp, ...rest } = metadata;
  return {
    ...value,
    metadata: {
      ...rest,
      name,
      ...(typeof namespace === 'string' && namespace !== '' ? { namespace } : {}),
      ...(typeof creationTimestamp === 'string' ? { creationTimestamp } : {}),
    },
  };
}

function unusable(kind: Kind, why: string): Error {
  return badRequest(
    `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`,
  );
}
