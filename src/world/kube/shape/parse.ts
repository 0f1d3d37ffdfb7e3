import { anyShape, type LeafType, type ListShape, type ObjectShape, type Shape } from './shape.ts';

/**
 * Reads types in this notation, one type a line, continued on indented lines:
 *
 *     Name: field field:type …     `Name!:` has one owner under server-side apply
 *
 * A type is a letter (`s` text, which may be left out, `i` integer, `n` number, `b` boolean,
 * `t` time, `u` time with microseconds, `q` quantity, `x` integer or text, `y` bytes, `j` any),
 * the name of a type, `{type}` for a map or `[type]` for a list. After these may stand `!` one
 * owner, `+` a set, `=key,key` a list keyed so, `~key` merged by strategic patches (by `key`
 * where it is not the list's), `^` a strategic patch may retain keys.
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
  for (const field of line.fields) {
    const colon = field.indexOf(':');
    if (colon < 0) texts.set(field, 's');
    else texts.set(field.slice(0, colon), field.slice(colon + 1));
  }
  const parsed = new Map<string, Shape>();
  return {
    type: 'object',
    name: line.name,
    isAtomic: line.isAtomic,
    isOpen: false,
    retainsKeys: false,
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
