import { type Ranges, union, without } from './char-class.ts';
import { escapedChar, escapedClass, readClass } from './class-syntax.ts';
import { Reader } from './reader.ts';

/** A regular expression as Go's RE2 reads it, as a tree. */
export type Syntax =
  | { readonly kind: 'empty' }
  | { readonly kind: 'chars'; readonly ranges: Ranges }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Syntax[] }
  | {
      readonly kind: 'repeat';
      readonly part: Syntax;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    };

export type Assertion =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  | 'word-boundary'
  | 'no-word-boundary';

/** Reads an expression; throws a SyntaxError for what RE2 would not take either. */
export function parseRe2(pattern: string): Syntax {
  const reader = new Reader(pattern);
  const tree = new Parser(reader).choice();
  if (!reader.isAtEnd) throw reader.error('unexpected )');
  return tree;
}

const flagNames = { i: 'ignoreCase', s: 'dotAll', m: 'multiLine', U: 'ungreedy' } as const;
type Flags = Readonly<Record<(typeof flagNames)[keyof typeof flagNames], boolean>>;

const assertions: Readonly<Record<string, Assertion>> = {
  A: 'text-start',
  z: 'text-end',
  b: 'word-boundary',
  B: 'no-word-boundary',
};

/** The most that RE2 lets one repetition count to. */
const longestRepeat = 1000;
const counted = /^\{(\d+)(?:(,)(\d*))?\}/;

class Parser {
  readonly #reader: Reader;
  #flags: Flags = { ignoreCase: false, dotAll: false, multiLine: false, ungreedy: false };

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  choice(): Syntax {
    const parts = [this.#sequence()];
    while (this.#reader.take('|')) parts.push(this.#sequence());
    return { kind: 'choice', parts };
  }

  #sequence(): Syntax {
    const parts: Syntax[] = [];
    while (!this.#reader.isAtEnd && !['|', ')'].includes(this.#reader.peek())) {
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: 'sequence', parts };
  }

  #repeated(part: Syntax): Syntax {
    const bounds = this.#bounds();
    if (bounds === undefined) return part;
    const isLazy = this.#reader.take('?') !== this.#flags.ungreedy;
    const isTwice = ['*', '+', '?'].includes(this.#reader.peek());
    if (isTwice || this.#reader.look(counted) !== undefined) {
      throw this.#reader.error('invalid nested repetition operator');
    }
    return { kind: 'repeat', part, min: bounds[0], max: bounds[1], isLazy };
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#reader.take('*')) return [0, Infinity];
    if (this.#reader.take('+')) return [1, Infinity];
    if (this.#reader.take('?')) return [0, 1];
    const found = this.#reader.skip(counted);
    if (found === undefined) return undefined;
    const [, low, comma, high] = found;
    const min = Number(low);
    const last = high === '' || high === undefined ? Infinity : Number(high);
    const max = comma === undefined ? min : last;
    const isTooMuch = min > longestRepeat || (max !== Infinity && max > longestRepeat);
    if (isTooMuch || max < min) throw this.#reader.error('invalid repeat count');
    return [min, max];
  }

  #atom(): Syntax {
    const char = this.#reader.next();
    switch (char) {
      case '(':
        return this.#group();
      case '[':
        return {
          kind: 'chars',
          ranges: readClass(this.#reader, (ranges) => this.#folded(ranges)),
        };
      case '.':
        return { kind: 'chars', ranges: without(this.#flags.dotAll ? [] : newline) };
      case '^':
        return { kind: 'assert', what: this.#flags.multiLine ? 'line-start' : 'text-start' };
      case '$':
        return { kind: 'assert', what: this.#flags.multiLine ? 'line-end' : 'text-end' };
      case '\\':
        return this.#escaped();
      case '*':
      case '+':
      case '?':
        throw this.#reader.error('missing argument to repetition operator');
      default:
        return this.#literal(char);
    }
  }

  #group(): Syntax {
    const before = this.#flags;
    if (this.#reader.take('?') && this.#reader.skip(/^P?<\w+>/) === undefined) {
      this.#readFlags();
      if (this.#reader.take(')')) return { kind: 'empty' };
      if (!this.#reader.take(':')) throw this.#reader.error('invalid or unsupported Perl syntax');
    }
    const inside = this.choice();
    if (!this.#reader.take(')')) throw this.#reader.error('missing closing )');
    this.#flags = before;
    return inside;
  }

  #readFlags(): void {
    const [, on = '', off = ''] = this.#reader.skip(/^([imsU]*)(?:-([imsU]+))?(?=[:)])/) ?? [];
    const set = (letters: string, value: boolean): void => {
      for (const letter of letters) {
        this.#flags = { ...this.#flags, [flagNames[letter as keyof typeof flagNames]]: value };
      }
    };
    set(on, true);
    set(off, false);
  }

  #escaped(): Syntax {
    const letter = this.#reader.next();
    const what = Object.hasOwn(assertions, letter) ? assertions[letter] : undefined;
    if (what !== undefined) return { kind: 'assert', what };
    if (letter === 'Q') return this.#quoted();
    const ranges = escapedClass(this.#reader, letter);
    if (ranges !== undefined) return { kind: 'chars', ranges };
    return this.#literal(escapedChar(this.#reader, letter));
  }

  #quoted(): Syntax {
    const parts: Syntax[] = [];
    while (!this.#reader.isAtEnd && this.#reader.skip(/^\\E/) === undefined) {
      parts.push(this.#literal(this.#reader.next()));
    }
    return { kind: 'sequence', parts };
  }

  #literal(char: string): Syntax {
    const code = char.codePointAt(0) ?? 0;
    return { kind: 'chars', ranges: this.#folded([[code, code]]) };
  }

  /** With the flag `i`, letters of both cases. Only those of ASCII are known here. */
  #folded(ranges: Ranges): Ranges {
    if (!this.#flags.ignoreCase) return ranges;
    const shifted = (from: number, by: number): Ranges =>
      ranges
        .map(([low, high]) => [Math.max(low, from) + by, Math.min(high, from + 25) + by] as const)
        .filter(([low, high]) => low <= high);
    return union([ranges, shifted(65, 32), shifted(97, -32)]);
  }
}

const newline: Ranges = [[10, 10]];
