/**
 * What an API server knows of a field beyond its JSON: which lists are keyed, which objects are
 * replaced whole. Patches, server-side apply and field validation all walk values by shapes.
 */
export type Shape = LeafShape | AnyShape | ObjectShape | MapShape | ListShape;

export type LeafType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'time'
  | 'micro-time'
  | 'quantity'
  | 'int-or-string'
  | 'bytes';

export interface LeafShape {
  readonly type: 'leaf';
  readonly leaf: LeafType;
}

/** Anything at all: objects merge key by key, lists are replaced whole. */
export interface AnyShape {
  readonly type: 'any';
}

export interface ObjectShape {
  readonly type: 'object';
  /** For messages: `PodSpec`. Empty where nobody named it. */
  readonly name: string;
  /** Every field that has a shape, in the order of its definition. */
  readonly fieldNames: readonly string[];
  /** Undefined for a field that the object does not have. */
  field(name: string): Shape | undefined;
  /** One owner for the whole object under server-side apply. */
  readonly isAtomic: boolean;
  /** Fields without a shape are kept (`x-kubernetes-preserve-unknown-fields`). */
  readonly isOpen: boolean;
  /** A strategic merge patch may drop the keys that it does not name. */
  readonly retainsKeys: boolean;
  /** How the object looks in Protocol Buffers; empty where it is never sent so. */
  readonly wire: WireTable;
}

/** Fields by number; a table inside is a message whose fields belong to the object around it. */
export type WireTable = ReadonlyMap<number, WireField | WireTable>;

export interface WireField {
  readonly name: string;
  /** A zero on the wire was said on purpose, and is not merely how nothing looks. */
  readonly isPointer: boolean;
}

export interface MapShape {
  readonly type: 'map';
  readonly values: Shape;
  readonly isAtomic: boolean;
}

export interface ListShape {
  readonly type: 'list';
  readonly items: Shape;
  readonly listType: 'atomic' | 'set' | 'map';
  /** The fields that tell items of a `map` list apart. */
  readonly keys: readonly string[];
  /** How a strategic merge patch treats it; `mergeKey` is set for lists of objects. */
  readonly patch: 'replace' | 'merge';
  readonly mergeKey?: string | undefined;
  readonly retainsKeys: boolean;
}

export const noWire: WireTable = new Map();

export const anyShape: AnyShape = { type: 'any' };

/** The shape one key further in; unknown places are `any`. */
export function fieldShape(shape: Shape, key: string): Shape {
  if (shape.type === 'object') return shape.field(key) ?? anyShape;
  if (shape.type === 'map') return shape.values;
  return anyShape;
}

export function itemShape(shape: Shape): Shape {
  return shape.type === 'list' ? shape.items : anyShape;
}

/** Whether server-side apply gives the whole value to one owner. */
export function isAtomic(shape: Shape): boolean {
  if (shape.type === 'list') return shape.listType === 'atomic';
  return (shape.type === 'object' || shape.type === 'map') && shape.isAtomic;
}
