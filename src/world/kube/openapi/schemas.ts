import type { LeafType, ListShape, ObjectShape, Shape } from '../../../api/shape/shape.ts';
import { descriptionOf } from './descriptions.ts';

/** A schema in OpenAPI v3, as plain JSON. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** Collects the named types that one document refers to, each written once. */
export class SchemaCollection {
  readonly #schemas = new Map<string, OpenApiSchema>();

  /** Everything collected so far, by name in sorted order. */
  all(): Readonly<Record<string, OpenApiSchema>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Adds a schema under a name of the caller's. */
  add(name: string, schema: OpenApiSchema): void {
    this.#schemas.set(name, schema);
  }

  /** A schema that points at the named type, which is added with all that it refers to. */
  refer(shape: ObjectShape): OpenApiSchema {
    const name = componentName(shape.name);
    if (!this.#schemas.has(name)) {
      // Types may contain themselves; the placeholder ends the recursion.
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.object(shape));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The schema of an object type itself, its fields pointing at other types. */
  object(shape: ObjectShape, extra: OpenApiSchema = {}): OpenApiSchema {
    const fields = shape.fieldNames.map((field) => [field, this.#field(shape, field)]);
    return {
      ...described(descriptionOf(shape.name)),
      type: 'object',
      properties: { ...extra, ...Object.fromEntries(fields) },
      ...(shape.isAtomic && { 'x-kubernetes-map-type': 'atomic' }),
      ...(shape.isOpen && { 'x-kubernetes-preserve-unknown-fields': true }),
    };
  }

  #field(owner: ObjectShape, field: string): OpenApiSchema {
    const shape = owner.field(field);
    const description = descriptionOf(owner.name, field);
    return { ...described(description), ...this.#schema(shape ?? { type: 'any' }) };
  }

  #schema(shape: Shape): OpenApiSchema {
    switch (shape.type) {
      case 'leaf':
        return this.#leaf(shape.leaf);
      case 'any':
        return { 'x-kubernetes-preserve-unknown-fields': true };
      case 'list':
        return { type: 'array', items: this.#schema(shape.items), ...listExtensions(shape) };
      case 'map':
        return {
          type: 'object',
          additionalProperties: this.#schema(shape.values),
          ...(shape.isAtomic && { 'x-kubernetes-map-type': 'atomic' }),
        };
      case 'object':
        // A bare reference may have no neighbours, so it is wrapped.
        return {
          allOf: [this.refer(shape)],
          ...(shape.retainsKeys && { 'x-kubernetes-patch-strategy': 'retainKeys' }),
        };
    }
  }

  #leaf(leaf: LeafType): OpenApiSchema {
    const named = namedLeaves[leaf];
    if (named === undefined) return plainLeaves[leaf] ?? { type: 'string' };
    const name = componentName(named.name);
    this.#schemas.set(name, { ...described(descriptionOf(named.name)), ...named.schema });
    return { allOf: [{ $ref: `#/components/schemas/${name}` }] };
  }
}

function componentName(type: string): string {
  return `io.k8s.api.${type}`;
}

function described(description: string | undefined): OpenApiSchema {
  return description === undefined ? {} : { description };
}

const plainLeaves: Readonly<Partial<Record<LeafType, OpenApiSchema>>> = {
  string: { type: 'string' },
  integer: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
  'micro-time': { type: 'string', format: 'date-time' },
  bytes: { type: 'string', format: 'byte' },
};

const namedLeaves: Readonly<
  Partial<Record<LeafType, { readonly name: string; readonly schema: OpenApiSchema }>>
> = {
  quantity: { name: 'Quantity', schema: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
  'int-or-string': {
    name: 'IntOrString',
    schema: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
};

/** What kubectl's client-side apply and server-side apply must know of a list. */
function listExtensions(list: ListShape): OpenApiSchema {
  const strategies = [
    ...(list.patch === 'merge' ? ['merge'] : []),
    ...(list.retainsKeys ? ['retainKeys'] : []),
  ];
  return {
    'x-kubernetes-list-type': list.listType,
    ...(list.listType === 'map' && { 'x-kubernetes-list-map-keys': list.keys }),
    ...(list.patch === 'merge' &&
      list.mergeKey !== undefined && { 'x-kubernetes-patch-merge-key': list.mergeKey }),
    ...(strategies.length > 0 && { 'x-kubernetes-patch-strategy': strategies.join(',') }),
  };
}
