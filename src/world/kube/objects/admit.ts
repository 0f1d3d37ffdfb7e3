import { apiVersionOf } from '../../../api/resource.ts';
import type { ApiObject, JsonObject } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { metadataErrors, metadataUpdateErrors } from '../rules/metadata.ts';
import { rulesOf } from '../rules/rules-of.ts';
import { withDefaults } from '../schema/defaults.ts';
import { hasRules, ruleErrors } from '../schema/rule-checks.ts';
import { scaleErrors } from '../schema/scale-checks.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { validate, validateStatus } from '../schema/validate.ts';
import type { FieldError, FieldErrorType } from '../status/field-error.ts';
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
  const errors = [...metadataErrors(kind, rules, object), ...(rules.validate?.(object) ?? [])];
  refuseIf(kind, object, withSchemaErrors(errors, kind, { object }));
}

/** Throws a 422 that names everything that an update makes wrong. */
export function checkUpdate(kind: Kind, change: Required<Change>): void {
  const { object, previous } = change;
  const rules = rulesOf(kind);
  const errors = [
    ...metadataUpdateErrors(object, previous),
    ...metadataErrors(kind, rules, object),
    ...(rules.validate?.(object) ?? []),
    ...(rules.validateUpdate?.(object, previous) ?? []),
  ];
  refuseIf(kind, object, withSchemaErrors(errors, kind, change));
}

/** An object on its way into the store, and the one whose place it takes. */
export interface Change {
  readonly object: ApiObject;
  readonly previous?: ApiObject;
  /** `status` when only that may change; otherwise empty. */
  readonly subresource?: string;
}

/** The errors, with those that the schema of a custom resource finds. */
function withSchemaErrors(
  errors: readonly FieldError[],
  kind: Kind,
  { object, previous, subresource }: Change,
): readonly FieldError[] {
  if (kind.schema === undefined) return errors;
  const schema = kind.schema as JsonSchema;
  const whole = (one: ApiObject): JsonObject => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...one,
  });
  const old = previous === undefined ? undefined : whole(previous);
  const structural =
    subresource === 'status' && old !== undefined
      ? validateStatus(whole(object), schema, old)
      : validate(whole(object), schema, old);
  const isStatus = subresource === 'status';
  const found = [
    ...errors,
    ...structural,
    ...scaleErrors(kind, object, isStatus ? ['status'] : ['spec', 'status']),
  ];
  if (!hasRules(schema)) return found;
  if (found.some(blocksRules)) return [...found, rulesNotAsked];
  return [...found, ...ruleErrors(whole(object), schema, old)];
}

/** With one of these, a value may not be what its rules expect, so none of them is asked. */
function blocksRules({ type }: FieldError): boolean {
  return blocking.includes(type);
}

const blocking: readonly FieldErrorType[] = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];

const rulesNotAsked: FieldError = {
  type: 'FieldValueInvalid',
  field: '<nil>',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

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
