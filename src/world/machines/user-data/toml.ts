export type TomlValue = string | number | boolean | readonly TomlValue[] | TomlTable;
export interface TomlTable {
  readonly [key: string]: TomlValue;
}

type Draft = { [key: string]: TomlValue };

/**
 * The part of TOML that node settings use: tables, dotted and quoted keys, strings on one line,
 * numbers, booleans, arrays. Undefined for anything else.
 */
export function parseToml(text: string): TomlTable | undefined {
  const root: Draft = {};
  let current = root;
  const lines = joinArrays(text.replaceAll('\r', '').split('\n'));
  for (const line of lines) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const header = /^\[\[?([^[\]]+)\]\]?\s*(?:#.*)?$/.exec(trimmed);
    if (header !== null) {
      const table = descend(root, splitKey(header[1] ?? ''));
      if (table === undefined) return undefined;
      current = table;
      continue;
    }
    if (!assign(current, trimmed)) return undefined;
  }
  return root;
}

function assign(table: Draft, line: string): boolean {
  const match = /^((?:"[^"]*"|'[^']*'|[A-Za-z0-9_.-])+?)\s*=\s*(.+)$/.exec(line);
  if (match === null) return false;
  const path = splitKey(match[1] ?? '');
  const value = parseValue(match[2] ?? '');
  const last = path.pop();
  const target = descend(table, path);
  if (last === undefined || value === undefined || target === undefined) return false;
  target[last] = value;
  return true;
}

function descend(table: Draft, path: readonly string[]): Draft | undefined {
  let current = table;
  for (const key of path) {
    current[key] ??= {};
    const next = current[key];
    if (typeof next !== 'object' || Array.isArray(next)) return undefined;
    current = next as Draft;
  }
  return current;
}

/** `a."b.c".d` is three keys. */
function splitKey(text: string): string[] {
  const keys = text.trim().match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? [];
  return keys.map((key) => key.replace(/^(["'])(.*)\1$/, '$2'));
}

function parseValue(text: string): TomlValue | undefined {
  const trimmed = text.trim();
  const quoted = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(trimmed);
  if (quoted !== null) return unescaped(quoted[1] ?? '');
  const literal = /^'([^']*)'\s*(?:#.*)?$/.exec(trimmed);
  if (literal !== null) return literal[1] ?? '';
  if (trimmed.startsWith('[')) return parseArray(trimmed);
  const bare = trimmed.replace(/\s*#.*$/, '');
  if (bare === 'true' || bare === 'false') return bare === 'true';
  return /^[+-]?\d[\d_]*(\.\d+)?$/.test(bare) ? Number(bare.replaceAll('_', '')) : undefined;
}

function parseArray(text: string): readonly TomlValue[] | undefined {
  const inner = /^\[([\s\S]*)\]\s*(?:#.*)?$/.exec(text)?.[1];
  if (inner === undefined) return undefined;
  const items = inner.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^,\s]+/g) ?? [];
  const values = items.map(parseValue);
  return values.some((value) => value === undefined) ? undefined : (values as TomlValue[]);
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\nt])/g, (_, character: string) => {
    if (character === 'n') return '\n';
    return character === 't' ? '\t' : character;
  });
}

/** Arrays may run over several lines; brackets in strings do not occur in node settings. */
function joinArrays(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let open = '';
  for (const line of lines) {
    const text = open === '' ? line : `${open} ${line.trim()}`;
    const isArray = /=\s*\[/.test(text);
    open = isArray && !/\]\s*(?:#.*)?$/.test(text) ? text : '';
    if (open === '') joined.push(text);
  }
  return open === '' ? joined : [...joined, open];
}
