import { apiVersionOf } from '../../../api/resource.ts';
import { type ApiObject, isEqual, type JsonObject } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { metadataErrors, metadataUpdateErrors } from '../rules/metadata.ts';
import { rulesOf } from '../rules/rules-of.ts';
import { withDefaults } from '../schema/defaults.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { validate } from '../schema/validate.ts';
import type { FieldError } from '../status/field-error.ts';
import { invalidObject, notFound, StatusError } from '../status/status.ts';
import { isTerminating } from './namespace.ts';
import type { ServerState } from './state.ts';

/** The object with its kind's defaults; repeating changes nothing. */
export function defaulted(kind: Kind, object: ApiObject): ApiObject {
  if (kind.schema !== undefined)
    return withDefaults(object, kind.schema as JsonSchema) as ApiObject;
  return rulesOf(kind).defaults?.(object) ?? object;
}

/** Throws a 422 that names everything wrong with a new object. */
export function checkNew(kind: Kind, object: ApiObject): void {
  const rules = rulesOf(kind);
  refuseIf(kind, object, [
    ...metadataErrors(kind, rules, object),
    ...(rules.validate?.(object) ?? []),
    ...schemaErrors(kind, object),
  ]);
}

/** Throws a 422 that names everything that an update makes wrong. */
export function checkUpdate(kind: Kind, object: ApiObject, previous: ApiObject): void {
  const rules = rulesOf(kind);
  const old = schemaErrors(kind, previous);
  // What was wrong before and has not been touched may stay: schemas get stricter over time.
  const isNew = (error: FieldError): boolean =>
    !old.some((one) => isEqual({ ...one }, { ...error }));
  refuseIf(kind, object, [
    ...metadataUpdateErrors(object, previous),
    ...metadataErrors(kind, rules, object),
    ...(rules.validate?.(object) ?? []),
    ...(rules.validateUpdate?.(object, previous) ?? []),
    ...schemaErrors(kind, object).filter(isNew),
  ]);
}

function schemaErrors(kind: Kind, object: ApiObject): readonly FieldError[] {
  if (kind.schema === undefined) return [];
  const whole: JsonObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object };
  return validate(whole, kind.schema as JsonSchema);
}

function refuseIf(kind: Kind, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject(kind, object.metadata.name, errors);
}

/** A namespace must exist, and not be on its way out, for something new to come into it. */
export function checkNamespace(state: ServerState, kind: Kind, object: ApiObject): void {
  if (!kind.isNamespaced) return;
  const name = object.metadata.namespace ?? '';
  const namespace = state.store.get('namespaces', name);
  if (namespace === undefined) throw notFound({ group: '', plural: 'namespaces' }, name);
  if (!isTerminating(namespace)) return;
  const why = `unable to create new content in namespace ${name} because it is being terminated`;
  const qualified = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
  throw new StatusError(
    403,
    'Forbidden',
    `${qualified} "${object.metadata.name}" is forbidden: ${why}`,
    {
      name: object.metadata.name,
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.plural,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${name} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  );
}
