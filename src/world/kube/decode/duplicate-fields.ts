/**
 * Paths of keys that a JSON text gives twice in one object. `JSON.parse` keeps the last and says
 * nothing. The text must be valid JSON.
 */
export function duplicateFields(text: string): readonly string[] {
  const scanner: Scanner = { text, at: 0, found: [] };
  scanValue(scanner, '');
  return scanner.found;
}

interface Scanner {
  readonly text: string;
  at: number;
  readonly found: string[];
}

function scanValue(scanner: Scanner, path: string): void {
  skipSpace(scanner);
  switch (scanner.text[scanner.at]) {
    case '{':
      scanObject(scanner, path);
      return;
    case '[':
      scanList(scanner, path);
      return;
    case '"':
      scanText(scanner);
      return;
    default:
      while (/[^\s,\]}]/.test(scanner.text[scanner.at] ?? ',')) scanner.at++;
  }
}

function scanObject(scanner: Scanner, path: string): void {
  const seen = new Set<string>();
  scanner.at++;
  for (;;) {
    skipSpace(scanner);
    if (endsWith(scanner, '}')) return;
    const key = scanText(scanner);
    const keyPath = path === '' ? key : `${path}.${key}`;
    if (seen.has(key)) scanner.found.push(keyPath);
    seen.add(key);
    skipSpace(scanner);
    scanner.at++;
    scanValue(scanner, keyPath);
  }
}

function scanList(scanner: Scanner, path: string): void {
  scanner.at++;
  for (let i = 0; ; i++) {
    skipSpace(scanner);
    if (endsWith(scanner, ']')) return;
    scanValue(scanner, `${path}[${i}]`);
  }
}

/** Steps over a comma; true after stepping over the closing bracket. */
function endsWith(scanner: Scanner, bracket: string): boolean {
  if (scanner.text[scanner.at] === ',') {
    scanner.at++;
    skipSpace(scanner);
  }
  if (scanner.text[scanner.at] !== bracket && scanner.at < scanner.text.length) return false;
  scanner.at++;
  return true;
}

function scanText(scanner: Scanner): string {
  const start = scanner.at++;
  while (scanner.text[scanner.at] !== '"' && scanner.at < scanner.text.length) {
    scanner.at += scanner.text[scanner.at] === '\\' ? 2 : 1;
  }
  scanner.at++;
  return JSON.parse(scanner.text.slice(start, scanner.at)) as string;
}

function skipSpace(scanner: Scanner): void {
  while (/\s/.test(scanner.text[scanner.at] ?? '')) scanner.at++;
}
