import { type ApiObject, isEqual, type JsonObject, valueAt } from '../json.ts';
import { type FieldError, invalid } from '../status/field-error.ts';

/** What a kind's rules may look at besides the object itself. */
export interface RuleWorld {
  readonly nowMs: number;
  get(storage: string, key: string): ApiObject | undefined;
  list(storage: string): readonly ApiObject[];
}

/**
 * How one built-in kind differs from the plain case. All are pure; objects come without
 * `apiVersion` and `kind` and must not be changed in place.
 */
export interface KindRules {
  /** `metadata.generation` counts changes outside metadata and status. */
  readonly hasGeneration?: boolean;
  /** `label` names may hold no dots and 63 letters; `path` names nearly anything. */
  readonly nameFormat?: 'label' | 'path';
  /** A PUT must carry the resourceVersion it is based on. */
  readonly needsVersion?: boolean;
  /** Fills in what users leave out; applied at every write, so repeating must change nothing. */
  defaults?(object: ApiObject): ApiObject;
  /** Finishes a new object: initial status, what admission adds. May refuse with a `StatusError`. */
  onCreate?(object: ApiObject, world: RuleWorld): ApiObject;
  /** Carries over what an update may leave out. */
  onUpdate?(object: ApiObject, previous: ApiObject, world: RuleWorld): ApiObject;
  validate?(object: ApiObject): readonly FieldError[];
  validateUpdate?(object: ApiObject, previous: ApiObject): readonly FieldError[];
}

/** The object with each key of `defaults` that it lacks. */
export function filled<T extends JsonObject>(object: T, defaults: JsonObject): T {
  let result: T | undefined;
  for (const [key, value] of Object.entries(defaults)) {
    if (object[key] !== undefined || value === undefined) continue;
    result = { ...(result ?? object), [key]: value };
  }
  return result ?? object;
}

/** Fields that keep the value they were created with. */
export function unchanged(
  object: ApiObject,
  previous: ApiObject,
  paths: readonly string[],
): readonly FieldError[] {
  return paths
    .map((path) => ({ path, keys: path.split('.') }))
    .filter(({ keys }) => !isEqual(valueAt(object, ...keys), valueAt(previous, ...keys)))
    .map(({ path, keys }) => invalid(path, valueAt(object, ...keys), 'field is immutable'));
}
