import {
  classNamed,
  type Ranges,
  rangesOfPosix,
  unicodeClass,
  union,
  without,
} from './char-class.ts';
import type { Reader } from './reader.ts';

const lastCodePoint = 0x10ffff;

/** Reads a class after its `[`, up to and with its `]`. */
export function readClass(reader: Reader, fold: (ranges: Ranges) => Ranges): Ranges {
  const isNegated = reader.take('^');
  const parts: Ranges[] = [readClassPart(reader)];
  while (!reader.take(']')) parts.push(readClassPart(reader));
  const ranges = fold(union(parts));
  return isNegated ? without(ranges) : ranges;
}

function readClassPart(reader: Reader): Ranges {
  if (reader.isAtEnd) throw reader.error('missing closing ]');
  const posix = reader.skip(/^\[:(\^?)(\w+):\]/);
  if (posix !== undefined) {
    const ranges = rangesOfPosix(posix[2] ?? '');
    if (ranges === undefined) throw reader.error('invalid character class range');
    return posix[1] === '^' ? without(ranges) : ranges;
  }
  const low = readClassChar(reader);
  if (typeof low !== 'number') return low;
  const isRange = reader.peek() === '-' && reader.peek(1) !== ']';
  if (!isRange) return [[low, low]];
  reader.next();
  const high = readClassChar(reader);
  if (typeof high !== 'number' || high < low) throw reader.error('invalid character class range');
  return [[low, high]];
}

function readClassChar(reader: Reader): number | Ranges {
  const char = reader.next();
  if (char !== '\\') return char.codePointAt(0) ?? 0;
  const letter = reader.next();
  return escapedClass(reader, letter) ?? escapedChar(reader, letter).codePointAt(0) ?? 0;
}

/** The class that a backslash and this letter stand for: `\d`, `\pL`, `\P{Greek}`. */
export function escapedClass(reader: Reader, letter: string): Ranges | undefined {
  if (letter !== 'p' && letter !== 'P') return classNamed(letter);
  const [, sign = '', long, short] = reader.skip(/^(?:\{(\^?)(\w+)\}|(\w))/) ?? [];
  const ranges = unicodeClass(long ?? short ?? '');
  if (ranges === undefined) throw reader.error('invalid character class range');
  return (letter === 'P') !== (sign === '^') ? without(ranges) : ranges;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The character that a backslash and this letter stand for. */
export function escapedChar(reader: Reader, letter: string): string {
  const known = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
  if (known !== undefined) return known;
  if (letter === 'x') return hexChar(reader);
  if (/[\w\s]/.test(letter) || letter === '') throw reader.error('invalid escape sequence');
  return letter;
}

function hexChar(reader: Reader): string {
  const [, long, short] = reader.skip(/^(?:\{([0-9a-fA-F]{1,8})\}|([0-9a-fA-F]{2}))/) ?? [];
  const code = Number.parseInt(long ?? short ?? '', 16);
  if (!(code <= lastCodePoint)) throw reader.error('invalid escape sequence');
  return String.fromCodePoint(code);
}
