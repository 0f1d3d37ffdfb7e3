/** Sets of code points as sorted ranges that do not touch. */
export type Ranges = readonly (readonly [low: number, high: number])[];

const lastCodePoint = 0x10ffff;

export function contains(ranges: Ranges, code: number): boolean {
  return ranges.some(([low, high]) => low <= code && code <= high);
}

export function union(sets: readonly Ranges[]): Ranges {
  const sorted = sets.flat().sort(([a], [b]) => a - b);
  const result: [number, number][] = [];
  for (const [low, high] of sorted) {
    const last = result.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else result.push([low, high]);
  }
  return result;
}

/** Every code point that is not in the set. */
export function without(ranges: Ranges): Ranges {
  const result: [number, number][] = [];
  let next = 0;
  for (const [low, high] of union([ranges])) {
    if (low > next) result.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= lastCodePoint) result.push([next, lastCodePoint]);
  return result;
}

const digit: Ranges = of('09');
const word: Ranges = of('09', 'AZ', '__', 'az');
const space: Ranges = of('\t\n', '\f\r', '  ');

/** The class that `\d`, `\s`, `\w` and their opposites stand for: ASCII alone, unlike JavaScript. */
export function classNamed(letter: string): Ranges | undefined {
  const named: Readonly<Record<string, Ranges>> = { d: digit, s: space, w: word };
  const ranges = Object.hasOwn(named, letter.toLowerCase())
    ? named[letter.toLowerCase()]
    : undefined;
  if (ranges === undefined) return undefined;
  return letter === letter.toLowerCase() ? ranges : without(ranges);
}

const posix: Readonly<Record<string, Ranges>> = {
  alnum: of('09', 'AZ', 'az'),
  alpha: of('AZ', 'az'),
  ascii: [[0, 127]],
  blank: of('\t\t', '  '),
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit,
  graph: of('!~'),
  lower: of('az'),
  print: of(' ~'),
  punct: of('!/', ':@', '[`', '{~'),
  space: of('\t\r', '  '),
  upper: of('AZ'),
  word,
  xdigit: of('09', 'AF', 'af'),
};

export function rangesOfPosix(name: string): Ranges | undefined {
  return Object.hasOwn(posix, name) ? posix[name] : undefined;
}

const unicodeClasses = new Map<string, Ranges>();

/** The class of a Unicode category or script: `L`, `Lu`, `Greek`; undefined when there is none. */
export function unicodeClass(name: string): Ranges | undefined {
  const known = unicodeClasses.get(name);
  if (known !== undefined) return known;
  const member = unicodeTest(name) ?? unicodeTest(`Script=${name}`);
  if (member === undefined) return undefined;
  const ranges: [number, number][] = [];
  for (let code = 0; code <= lastCodePoint; code++) {
    if (!member.test(String.fromCodePoint(code))) continue;
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  unicodeClasses.set(name, ranges);
  return ranges;
}

function unicodeTest(name: string): RegExp | undefined {
  try {
    return new RegExp(`^\\p{${name}}$`, 'u');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Ranges, each written as its first and its last character. */
function of(...ends: readonly string[]): Ranges {
  return ends.map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)] as const);
}
