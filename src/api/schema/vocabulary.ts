import { quantityPattern } from './patterns.ts';

/**
 * A small vocabulary for Kubernetes structural schemas. One value is at once the OpenAPI schema
 * of a CRD and, through `Infer`, the TypeScript type of the objects it admits.
 */
export interface Schema<T> {
  readonly openApi: OpenApi;
  /** Carries the type and has no value; never read it. */
  readonly type?: T;
  readonly isOptional?: boolean;
}

export type OpenApi = Readonly<Record<string, unknown>>;

export type Infer<S> = S extends Schema<infer T> ? T : never;

/** A rule in CEL that the API server checks, and what it says when the rule is broken. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
}

/** A field that may be left out; named so that the types of shared fields can be written down. */
export interface Optional<T> extends Schema<T> {
  readonly isOptional: true;
}

type Fields = Readonly<Record<string, Schema<unknown>>>;
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends Optional<unknown> ? K : never;
}[keyof F];
type ObjectOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]>;
} & {
  readonly [K in OptionalKeys<F>]?: Infer<F[K]>;
};

/** An object with exactly these fields; those not marked `optional` are required. */
export function object<F extends Fields>(fields: F, extra: OpenApi = {}): Schema<ObjectOf<F>> {
  const names = Object.keys(fields).sort();
  const required = names.filter((name) => fields[name]?.isOptional !== true);
  const properties = Object.fromEntries(names.map((name) => [name, fields[name]?.openApi ?? {}]));
  return {
    openApi: { type: 'object', properties, ...(required.length > 0 ? { required } : {}), ...extra },
  };
}

/** Marks a field that may be left out. */
export function optional<T>(schema: Schema<T>): Optional<T> {
  return { openApi: schema.openApi, isOptional: true };
}

export function text(extra: OpenApi = {}): Schema<string> {
  return { openApi: { type: 'string', ...extra } };
}

/** Text that must be one of these. */
export function oneOf<const V extends string>(
  values: readonly V[],
  extra: OpenApi = {},
): Schema<V> {
  return { openApi: { type: 'string', enum: values, ...extra } };
}

export function integer(extra: OpenApi = {}): Schema<number> {
  return { openApi: { type: 'integer', ...extra } };
}

export function int32(extra: OpenApi = {}): Schema<number> {
  return integer({ format: 'int32', ...extra });
}

export function int64(extra: OpenApi = {}): Schema<number> {
  return integer({ format: 'int64', ...extra });
}

export function flag(): Schema<boolean> {
  return { openApi: { type: 'boolean' } };
}

export function list<T>(items: Schema<T>, extra: OpenApi = {}): Schema<readonly T[]> {
  return { openApi: { type: 'array', items: items.openApi, ...extra } };
}

/** A list whose items differ in these fields; no two may be alike in all of them. */
export function keyedList<T>(keys: readonly string[], items: Schema<T>): Schema<readonly T[]> {
  return list(items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
}

export function map<T>(
  values: Schema<T>,
  extra: OpenApi = {},
): Schema<Readonly<Record<string, T>>> {
  return { openApi: { type: 'object', additionalProperties: values.openApi, ...extra } };
}

export function dateTime(): Schema<string> {
  return text({ format: 'date-time' });
}

/** The same schema with the sentence that `kubectl explain` shows. */
export function described<S extends Schema<unknown>>(description: string, schema: S): S {
  return { ...schema, openApi: { description, ...schema.openApi } };
}

/** The same schema with a default. */
export function defaulted<S extends Schema<unknown>>(value: unknown, schema: S): S {
  return { ...schema, openApi: { ...schema.openApi, default: value } };
}

/** The same schema with rules in CEL. */
export function ruled<S extends Schema<unknown>>(schema: S, ...rules: readonly Rule[]): S {
  return { ...schema, openApi: { ...schema.openApi, 'x-kubernetes-validations': rules } };
}

/** A Kubernetes quantity: `500m`, `2Gi`, 4. */
function quantity(): Schema<string | number> {
  return {
    openApi: {
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: quantityPattern,
      'x-kubernetes-int-or-string': true,
    },
  };
}

/** Amounts by resource name. */
export function resourceList(): Schema<Readonly<Record<string, string | number>>> {
  return map(quantity());
}
