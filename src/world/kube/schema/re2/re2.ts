import { contains } from './char-class.ts';
import { compileRe2, type Instruction, type Program } from './program.ts';
import { type Assertion, parseRe2 } from './syntax.ts';

/**
 * Go's regular expressions: RE2 syntax, leftmost-first matches, and time that grows with the
 * length of the text times that of the expression. JavaScript's own differ in `\s`, `.` and
 * escapes, and take forever on some texts that a client may send.
 */
export interface Re2 {
  test(text: string): boolean;
  /** The first match, or undefined. */
  find(text: string): string | undefined;
  /** All matches from left to right, at most `limit` of them. */
  findAll(text: string, limit?: number): readonly string[];
}

const known = new Map<string, Re2>();
/** Expressions come from definitions; a client that sends new ones all day must not fill the memory. */
const mostKnown = 1000;

/** Throws a SyntaxError for an expression that RE2 does not take. */
export function re2(pattern: string): Re2 {
  const before = known.get(pattern);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const program = compileRe2(parseRe2(pattern));
  const made: Re2 = {
    test: (text) => search(program, [...text], { from: 0, isEnoughToKnow: true }) !== undefined,
    find: (text) => findAll(program, text, 1)[0],
    findAll: (text, limit = Infinity) => findAll(program, text, limit),
  };
  known.set(pattern, made);
  return made;
}

function findAll(program: Program, text: string, limit: number): readonly string[] {
  const chars = [...text];
  const found: string[] = [];
  let from = 0;
  while (from <= chars.length && found.length < limit) {
    const match = search(program, chars, { from, isEnoughToKnow: false });
    if (match === undefined) break;
    found.push(chars.slice(match.start, match.end).join(''));
    from = match.end > match.start ? match.end : match.end + 1;
  }
  return found;
}

interface Match {
  readonly start: number;
  readonly end: number;
}

interface SearchOptions {
  readonly from: number;
  /** Stops at the first sign of a match; its end is then not the right one. */
  readonly isEnoughToKnow: boolean;
}

/** Runs all ways through the program at once, the preferred ones first. */
function search(
  { instructions, start }: Program,
  chars: readonly string[],
  { from, isEnoughToKnow }: SearchOptions,
): Match | undefined {
  let ways = new Ways(instructions, chars);
  let following = new Ways(instructions, chars);
  let best: Match | undefined;
  for (let at = from; ; at++) {
    if (best === undefined) ways.add(start, at, at);
    const found = step(ways, following, { instructions, chars, at });
    best = found ?? best;
    const isOver = at >= chars.length || (following.isEmpty && best !== undefined);
    if (isOver || (isEnoughToKnow && best !== undefined)) return best;
    [ways, following] = [following, ways];
    following.clear();
  }
}

interface Place {
  readonly instructions: readonly Instruction[];
  readonly chars: readonly string[];
  readonly at: number;
}

/** Reads one character on every way; what follows the first match is less preferred and ends. */
function step(ways: Ways, following: Ways, { instructions, chars, at }: Place): Match | undefined {
  const code = chars[at]?.codePointAt(0);
  for (const way of ways.entries()) {
    const instruction = instructions[way.position];
    if (instruction?.kind === 'match') return { start: way.start, end: at };
    if (instruction?.kind !== 'chars' || code === undefined) continue;
    if (contains(instruction.ranges, code)) following.add(instruction.next, way.start, at + 1);
  }
  return undefined;
}

interface Way {
  readonly position: number;
  readonly start: number;
}

/** Positions in the program that are reached at one place of the text, in order of preference. */
class Ways {
  readonly #instructions: readonly Instruction[];
  readonly #chars: readonly string[];
  readonly #seen: Uint32Array;
  #generation = 1;
  #ways: Way[] = [];

  constructor(instructions: readonly Instruction[], chars: readonly string[]) {
    this.#instructions = instructions;
    this.#chars = chars;
    this.#seen = new Uint32Array(instructions.length);
  }

  get isEmpty(): boolean {
    return this.#ways.length === 0;
  }

  entries(): readonly Way[] {
    return this.#ways;
  }

  clear(): void {
    this.#ways = [];
    this.#generation++;
  }

  /** Adds a position and all that follow from it without reading. */
  add(first: number, start: number, at: number): void {
    const todo = [first];
    for (let position = todo.pop(); position !== undefined; position = todo.pop()) {
      if (this.#seen[position] === this.#generation) continue;
      this.#seen[position] = this.#generation;
      const instruction = this.#instructions[position];
      if (instruction?.kind === 'split') todo.push(instruction.other, instruction.next);
      else if (instruction?.kind !== 'assert') this.#ways.push({ position, start });
      else if (holds(instruction.what, this.#chars, at)) todo.push(instruction.next);
    }
  }
}

function holds(what: Assertion, chars: readonly string[], at: number): boolean {
  switch (what) {
    case 'text-start':
      return at === 0;
    case 'text-end':
      return at === chars.length;
    case 'line-start':
      return at === 0 || chars[at - 1] === '\n';
    case 'line-end':
      return at === chars.length || chars[at] === '\n';
    case 'word-boundary':
      return isWord(chars[at - 1]) !== isWord(chars[at]);
    case 'no-word-boundary':
      return isWord(chars[at - 1]) === isWord(chars[at]);
  }
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /^\w$/.test(char);
}
