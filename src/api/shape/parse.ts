import {
  anyShape,
  type LeafType,
  type ListShape,
  type ObjectShape,
  type Shape,
  type WireField,
} from './shape.ts';

/**
 * Reads types in this notation, one type a line, continued on indented lines:
 *
 *     Name: field field:type …     `Name!:` has one owner under server-side apply
 *
 * A type is a letter (`s` text, which may be left out, `i` integer, `n` number, `b` boolean,
 * `t` time, `u` time with microseconds, `q` quantity, `x` integer or text, `y` bytes, `j` any),
 * the name of a type, `{type}` for a map or `[type]` for a list. After these may stand `!` one
 * owner, `+` a set, `=key,key` a list keyed so, `~key` merged by strategic patches (by `key`
 * where it is not the list's), `^` a strategic patch may retain keys. `@2.1*` ends it with the
 * field's number in Protocol Buffers, after the number of an inlined message, and `*` where a
 * zero means zero rather than nothing.
 */
export function parseShapes(notation: string): ReadonlyMap<string, Shape> {
  const shapes = new Map<string, Shape>();
  for (const line of notation.trim().replaceAll('\n  ', ' ').split('\n')) {
    const [head = '', ...fields] = line.trim().split(/\s+/);
    const name = head.replace(/[!:]/g, '');
    shapes.set(name, objectShape({ name, fields, isAtomic: head.includes('!'), shapes }));
  }
  return shapes;
}

interface ObjectLine {
  readonly name: string;
  readonly fields: readonly string[];
  readonly isAtomic: boolean;
  readonly shapes: ReadonlyMap<string, Shape>;
}

/** Fields are read on first use: types refer to each other, and most are never asked for. */
function objectShape(line: ObjectLine): ObjectShape {
  const texts = new Map<string, string>();
  const wire: DraftTable = new Map();
  for (const field of line.fields) {
    const [typed = '', number] = field.split('@');
    const colon = typed.indexOf(':');
    const name = colon < 0 ? typed : typed.slice(0, colon);
    texts.set(name, colon < 0 ? 's' : typed.slice(colon + 1));
    if (number !== undefined) addNumber(wire, name, number);
  }
  const parsed = new Map<string, Shape>();
  return {
    type: 'object',
    name: line.name,
    isAtomic: line.isAtomic,
    isOpen: false,
    retainsKeys: false,
    wire,
    fieldNames: [...texts.keys()],
    field(name) {
      const text = texts.get(name);
      if (text === undefined) return undefined;
      const known = parsed.get(name) ?? parseType(text, line.shapes);
      parsed.set(name, known);
      return known;
    },
  };
}

type DraftTable = Map<number, WireField | DraftTable>;

function addNumber(wire: DraftTable, name: string, text: string): void {
  const path = text.replace('*', '').split('.').map(Number);
  let table = wire;
  for (const number of path.slice(0, -1)) {
    const inner = table.get(number);
    const next: DraftTable = inner instanceof Map ? inner : new Map();
    table.set(number, next);
    table = next;
  }
  table.set(path.at(-1) ?? 0, { name, isPointer: text.endsWith('*') });
}

const leaves: Readonly<Record<string, LeafType>> = {
  s: 'string',
  i: 'integer',
  n: 'number',
  b: 'boolean',
  t: 'time',
  u: 'micro-time',
  q: 'quantity',
  x: 'int-or-string',
  y: 'bytes',
};

function parseType(text: string, shapes: ReadonlyMap<string, Shape>): Shape {
  const leaf = leaves[text];
  if (leaf !== undefined) return { type: 'leaf', leaf };
  if (text === 'j') return anyShape;
  if (text.startsWith('{')) return parseMap(text, shapes);
  if (text.startsWith('[')) return parseList(text, shapes);
  return parseNamed(text, shapes);
}

function parseMap(text: string, shapes: ReadonlyMap<string, Shape>): Shape {
  const end = text.lastIndexOf('}');
  return {
    type: 'map',
    values: parseType(text.slice(1, end), shapes),
    isAtomic: text.endsWith('!'),
  };
}

function parseList(text: string, shapes: ReadonlyMap<string, Shape>): ListShape {
  const end = text.lastIndexOf(']');
  const marks = text.slice(end + 1);
  const keys = /=([^~^]*)/.exec(marks)?.[1]?.split(',') ?? [];
  const merge = /~([^^]*)/.exec(marks)?.[1];
  return {
    type: 'list',
    items: parseType(text.slice(1, end), shapes),
    listType: keys.length > 0 ? 'map' : marks.includes('+') ? 'set' : 'atomic',
    keys,
    patch: merge === undefined ? 'replace' : 'merge',
    mergeKey: merge || keys[0],
    retainsKeys: marks.includes('^'),
  };
}

function parseNamed(text: string, shapes: ReadonlyMap<string, Shape>): Shape {
  const shape = shapes.get(text.replace(/[!^]/g, ''));
  if (shape === undefined) throw new Error(`reading shape notation: no type ${text}`);
  if (shape.type !== 'object') return shape;
  return {
    ...shape,
    isAtomic: shape.isAtomic || text.includes('!'),
    retainsKeys: text.includes('^'),
  };
}
