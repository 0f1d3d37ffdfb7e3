import type { Ranges } from './char-class.ts';
import type { Assertion, Syntax } from './syntax.ts';

/** One step of an automaton; `next` and `other` are positions in the program. */
export type Instruction =
  | { readonly kind: 'chars'; readonly ranges: Ranges; readonly next: number }
  | { readonly kind: 'assert'; readonly what: Assertion; readonly next: number }
  /** `next` is preferred to `other`. */
  | { readonly kind: 'split'; readonly next: number; readonly other: number }
  | { readonly kind: 'match' };

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

/** What one expression may grow to once its repetitions are written out. */
const largestProgram = 100_000;

/** Compiles from the end: each part is told where to go on after it. */
export function compileRe2(syntax: Syntax): Program {
  const instructions: Instruction[] = [{ kind: 'match' }];
  const add = (instruction: Instruction): number => {
    if (instructions.length >= largestProgram) throw new SyntaxError('expression too large');
    return instructions.push(instruction) - 1;
  };
  const start = compile(syntax, 0, { instructions, add });
  return { instructions, start };
}

interface Output {
  readonly instructions: Instruction[];
  add(instruction: Instruction): number;
}

function compile(syntax: Syntax, next: number, out: Output): number {
  switch (syntax.kind) {
    case 'empty':
      return next;
    case 'chars':
      return out.add({ kind: 'chars', ranges: syntax.ranges, next });
    case 'assert':
      return out.add({ kind: 'assert', what: syntax.what, next });
    case 'sequence':
      return syntax.parts.reduceRight((after, part) => compile(part, after, out), next);
    case 'choice':
      return choice(
        syntax.parts.map((part) => compile(part, next, out)),
        out,
      );
    case 'repeat':
      return repeat(syntax, next, out);
  }
}

function choice(starts: readonly number[], out: Output): number {
  return starts.reduceRight((other, start) => out.add({ kind: 'split', next: start, other }));
}

type Repeat = Extract<Syntax, { kind: 'repeat' }>;

function repeat(syntax: Repeat, next: number, out: Output): number {
  const { part, min, max } = syntax;
  let start = next;
  if (max === Infinity) {
    start = loop(syntax, next, out);
  } else {
    for (let i = min; i < max; i++) {
      start = out.add(branch(syntax, compile(part, start, out), next));
    }
  }
  for (let i = 0; i < min; i++) start = compile(part, start, out);
  return start;
}

/** Any number of times: the split comes first and is filled in once the body is known. */
function loop(syntax: Repeat, next: number, out: Output): number {
  const split = out.add({ kind: 'match' });
  const body = compile(syntax.part, split, out);
  out.instructions[split] = branch(syntax, body, next);
  return split;
}

function branch({ isLazy }: Repeat, body: number, next: number): Instruction {
  return isLazy ? { kind: 'split', next, other: body } : { kind: 'split', next: body, other: next };
}
