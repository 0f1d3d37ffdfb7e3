import {
  anyShape,
  type LeafType,
  noWire,
  type ObjectShape,
  type Shape,
} from '../../../api/shape/shape.ts';
import type { JsonSchema } from '../schema/schema.ts';

/** The shape of a custom resource, from its structural schema. */
export function shapeOfSchema(schema: object | undefined, metadata: Shape): Shape {
  if (schema === undefined) return openObject(metadata);
  const root = shapeOfNode(schema as JsonSchema);
  if (root.type !== 'object') return openObject(metadata);
  return { ...root, field: (name) => (name === 'metadata' ? metadata : root.field(name)) };
}

function openObject(metadata: Shape): ObjectShape {
  return {
    type: 'object',
    name: '',
    fieldNames: ['metadata'],
    field: (name) => (name === 'metadata' ? metadata : undefined),
    isAtomic: false,
    isOpen: true,
    retainsKeys: false,
    wire: noWire,
  };
}

const leaves: Readonly<Record<string, LeafType>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

function shapeOfNode(schema: JsonSchema): Shape {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return { type: 'leaf', leaf: 'int-or-string' };
  }
  if (schema.type === 'array') return listShape(schema);
  if (schema.type === 'object') return structShape(schema);
  const leaf = leaves[schema.type ?? ''];
  return leaf === undefined ? anyShape : { type: 'leaf', leaf };
}

function listShape(schema: JsonSchema): Shape {
  return {
    type: 'list',
    items: schema.items === undefined ? anyShape : shapeOfNode(schema.items),
    listType: schema['x-kubernetes-list-type'] ?? 'atomic',
    keys: schema['x-kubernetes-list-map-keys'] ?? [],
    patch: 'replace',
    retainsKeys: false,
  };
}

function structShape(schema: JsonSchema): Shape {
  const isAtomic = schema['x-kubernetes-map-type'] === 'atomic';
  const { properties, additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    return { type: 'map', values: shapeOfNode(additionalProperties), isAtomic };
  }
  const known = new Map<string, Shape>();
  for (const [name, property] of Object.entries(properties ?? {})) {
    known.set(name, shapeOfNode(property));
  }
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true;
  return {
    type: 'object',
    name: '',
    fieldNames: [...known.keys()],
    field: (name) => known.get(name),
    isAtomic,
    isOpen,
    retainsKeys: false,
    wire: noWire,
  };
}
