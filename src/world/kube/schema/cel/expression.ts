import { Environment, EvaluationError, Optional } from '@marcbachmann/cel-js';
import { addLibrary, renamed } from './library.ts';
import type { CelValue } from './values.ts';

/** What an expression of a schema comes to: a value, or why it has none, in the words of Go's CEL. */
export type Evaluation =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly message: string };

/** What a rule may speak of. Without an old value, `oldSelf` may not be used. */
export interface Subject {
  readonly self: CelValue;
  readonly oldSelf?: CelValue | undefined;
  /** Whether `oldSelf` is handed over as an optional, which may also be empty. */
  readonly hasOptionalOld: boolean;
}

/** An expression ready to be evaluated, or why it can never be. */
export interface Expression {
  readonly usesOldSelf: boolean;
  /** Set when it does not compile. */
  readonly compileError?: string;
  evaluate(subject: Subject): Evaluation;
}

const environment = addLibrary(
  new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
    .registerVariable('self', 'dyn')
    .registerVariable('oldSelf', 'dyn'),
);

const known = new Map<string, Expression>();
/** Rules come from definitions; whoever writes new ones all day must not fill the memory. */
const mostKnown = 2000;

/** Compiles a rule once; the same text gives the same expression. */
export function celExpression(text: string): Expression {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const made = compile(text);
  known.set(text, made);
  return made;
}

function compile(text: string): Expression {
  const usesOldSelf = namesOldSelf(text);
  try {
    const run = environment.parse(renamed(text));
    const checked = run.check();
    if (!checked.valid) return broken(usesOldSelf, checked.error);
    return { usesOldSelf, evaluate: (subject) => evaluated(run, subject) };
  } catch (error) {
    return broken(usesOldSelf, error);
  }
}

function broken(usesOldSelf: boolean, error: unknown): Expression {
  const compileError = summaryOf(error);
  return {
    usesOldSelf,
    compileError,
    evaluate: () => ({ kind: 'error', message: compileError }),
  };
}

const texts = /[rRbB]{0,2}(?:'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")/g;

function namesOldSelf(text: string): boolean {
  return /\boldSelf\b/.test(text.replaceAll(texts, "''"));
}

function evaluated(
  run: (context: Record<string, unknown>) => unknown,
  subject: Subject,
): Evaluation {
  const { self, oldSelf, hasOptionalOld } = subject;
  const old = oldSelf === undefined ? Optional.none() : Optional.of(oldSelf);
  try {
    return { kind: 'value', value: run({ self, oldSelf: hasOptionalOld ? old : oldSelf }) };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { kind: 'error', message: inGoWords(error) };
  }
}

function inGoWords(error: EvaluationError): string {
  const summary = summaryOf(error);
  switch (error.code) {
    case 'no_such_key':
      return summary.replace(/^No such key/, 'no such key');
    case 'index_out_of_bounds':
      return `index out of bounds: ${/index (-?\d+)/.exec(summary)?.[1] ?? ''}`;
    default:
      return summary;
  }
}

function summaryOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'summary' in error && typeof error.summary === 'string' ? error.summary : error.message;
}
