/** The part of TOML that machine settings use: tables, strings, numbers, flags, arrays, inline tables. */
export type TomlValue = string | number | boolean | readonly TomlValue[] | TomlTable;
export interface TomlTable {
  readonly [key: string]: TomlValue;
}

/** The text is not TOML, or uses a part of it (dates, arrays of tables) that is not read here. */
export class TomlSyntaxError extends Error {
  override readonly name = 'TomlSyntaxError';
}

export function parseToml(text: string): TomlTable {
  const root: MutableTable = {};
  let current = root;
  const reader = new Reader(text);
  for (reader.skipBlank(); !reader.isAtEnd(); reader.skipBlank()) {
    if (reader.take('[[')) throw reader.error('arrays of tables are not supported');
    if (reader.take('[')) {
      current = descend(root, reader.key(), reader);
      reader.expect(']');
    } else {
      assign(current, reader);
    }
    reader.endLine();
  }
  return root;
}

interface MutableTable {
  [key: string]: TomlValue;
}

function assign(table: MutableTable, reader: Reader): void {
  const path = reader.key();
  reader.expect('=');
  const last = path.at(-1) ?? '';
  const target = descend(table, path.slice(0, -1), reader);
  if (Object.hasOwn(target, last)) throw reader.error(`"${path.join('.')}" is set twice`);
  target[last] = reader.value();
}

function descend(table: MutableTable, path: readonly string[], reader: Reader): MutableTable {
  let at = table;
  for (const key of path) {
    const next = Object.hasOwn(at, key) ? at[key] : {};
    if (typeof next !== 'object' || Array.isArray(next))
      throw reader.error(`"${path.join('.')}" is not a table`);
    at[key] = next;
    at = next as MutableTable;
  }
  return at;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replaceAll('\r\n', '\n');
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Over white space, line ends and comments. */
  skipBlank(): void {
    this.#match(/(?:\s|#[^\n]*)*/y);
  }

  endLine(): void {
    this.#match(/[ \t]*(#[^\n]*)?/y);
    if (!this.isAtEnd() && !this.take('\n')) throw this.error('expected the end of the line');
  }

  take(literal: string): boolean {
    if (!this.#text.startsWith(literal, this.#at)) return false;
    this.#at += literal.length;
    return true;
  }

  expect(literal: string): void {
    this.#match(/[ \t]*/y);
    if (!this.take(literal)) throw this.error(`expected "${literal}"`);
    this.#match(/[ \t]*/y);
  }

  key(): string[] {
    const path: string[] = [];
    do {
      this.#match(/[ \t]*/y);
      const bare = this.#match(/[A-Za-z0-9_-]+/y);
      path.push(bare ?? this.#string() ?? this.#fail('expected a key'));
      this.#match(/[ \t]*/y);
    } while (this.take('.'));
    return path;
  }

  value(): TomlValue {
    const text = this.#string();
    if (text !== undefined) return text;
    if (this.take('[')) return this.#list();
    if (this.take('{')) return this.#inlineTable();
    const word = this.#match(/[A-Za-z0-9_+.-]+/y) ?? this.#fail('expected a value');
    if (word === 'true' || word === 'false') return word === 'true';
    const number = Number(word.replaceAll('_', ''));
    return Number.isFinite(number) ? number : this.#fail(`"${word}" is not a value`);
  }

  error(message: string): TomlSyntaxError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new TomlSyntaxError(`line ${line}: ${message}`);
  }

  #list(): TomlValue[] {
    const items: TomlValue[] = [];
    for (this.skipBlank(); !this.take(']'); this.skipBlank()) {
      items.push(this.value());
      this.skipBlank();
      if (!this.take(',') && this.#text[this.#at] !== ']') throw this.error('expected "," or "]"');
    }
    return items;
  }

  #inlineTable(): TomlTable {
    const table: MutableTable = {};
    for (this.skipBlank(); !this.take('}'); this.skipBlank()) {
      assign(table, this);
      this.skipBlank();
      if (!this.take(',') && this.#text[this.#at] !== '}') throw this.error('expected "," or "}"');
    }
    return table;
  }

  #string(): string | undefined {
    const long = this.#match(/"""[\s\S]*?"""|'''[\s\S]*?'''/y);
    if (long !== undefined) {
      const inner = long.slice(3, -3).replace(/^\n/, '');
      return long.startsWith('"') ? unescaped(inner) : inner;
    }
    const short = this.#match(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y);
    if (short === undefined) return undefined;
    return short.startsWith('"') ? unescaped(short.slice(1, -1)) : short.slice(1, -1);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found;
  }

  #fail(message: string): never {
    throw this.error(message);
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(\s*\n\s*)|(.))/g, (_, code, fold, letter) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return fold !== undefined ? '' : (escapes[letter] ?? letter);
  });
}

/** Equal tables give equal text: keys are sorted, plain values come before tables. */
export function writeToml(root: TomlTable): string {
  const lines: string[] = [];
  writeTable(lines, root, []);
  return `${lines.join('\n').trim()}\n`;
}

function writeTable(lines: string[], table: TomlTable, path: readonly string[]): void {
  const entries = Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1));
  const plain = entries.filter(([, value]) => !isTable(value));
  if (path.length > 0 && (plain.length > 0 || entries.length === 0))
    lines.push('', `[${path.map(writeKey).join('.')}]`);
  for (const [key, value] of plain) lines.push(`${writeKey(key)} = ${writeValue(value)}`);
  for (const [key, value] of entries) if (isTable(value)) writeTable(lines, value, [...path, key]);
}

function isTable(value: TomlValue): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value);
}

function writeKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

function writeValue(value: TomlValue): string {
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`;
  if (isTable(value))
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${writeKey(key)} = ${writeValue(inner)}`)
      .join(', ')} }`;
  return JSON.stringify(value);
}
