/**
 * Shell variables and the expressions of Helm, Terraform and Jinja are no YAML of their own. They are
 * hidden behind words while a manifest is read and changed, and put back into every text that comes out.
 */
export interface MaskedText {
  readonly text: string;
  /** The text with every expression in its place again. */
  unmask(text: string): string;
  /** Whether the text holds an expression, so that nobody judges its value. */
  isMasked(text: string): boolean;
  /** Expressions that are no longer in the masked text. */
  missingIn(text: string): readonly string[];
  /** Whether lines of control flow stand in the masked text: what they enclose may move away. */
  hasControlFlow(text: string): boolean;
}

/** The other expressions are found by their ends, since they may hold anything and span lines. */
const variable = /[$%]\{(?:[^{}\n]|\{[^{}\n]*\})*\}/g;

const controlFlow = /^(?:\{\{|\{%|%\{)[-~]?\s*(?:if|else|elif|end|endif|range|with|for|endfor)\b/;

export function maskTemplates(source: string): MaskedText {
  const hidden: string[] = [];
  const stem = freeStem(source);
  const word = new RegExp(`(# )?${stem}(\\d+)([ZC])`, 'g');
  const unmask = (masked: string): string =>
    hidden.length === 0
      ? masked
      : masked.replace(word, (_, hash: string | undefined, number: string, end: string) =>
          // A comment that we made of a whole line is that line again.
          end === 'C' || hash === undefined
            ? (hidden[Number(number)] ?? '')
            : `${hash}${hidden[Number(number)] ?? ''}`,
        );
  const numbers = new Map<string, number>();
  // Equal expressions get equal words, so that names which are templates can be compared.
  const hide = (found: string): string => {
    const expression = unmask(found);
    const number = numbers.get(expression) ?? hidden.push(expression) - 1;
    numbers.set(expression, number);
    return `${stem}${number}Z`;
  };
  const bracketed = hideBetween(hideBetween(source, ['{{', '}}'], hide), ['{%', '%}'], hide);
  const text = bracketed
    .replace(variable, hide)
    .split('\n')
    .map((line) => commentOut(line, stem))
    .join('\n');
  return {
    text,
    unmask,
    isMasked: (candidate) => candidate.includes(stem),
    missingIn: (output) => {
      const there = new Set([...unmaskedWords(output, word, hidden)]);
      return hidden.filter((expression) => !there.has(expression));
    },
    hasControlFlow: (part) =>
      [...part.matchAll(word)].some(([, , number]) =>
        controlFlow.test(hidden[Number(number)] ?? ''),
      ),
  };
}

/** Takes a text by the letter: what looks like a template stays what it is. */
export function unmasked(source: string): MaskedText {
  return { ...maskTemplates(''), text: source };
}

/** Every expression of the text, with those that it holds itself. */
function* unmaskedWords(text: string, word: RegExp, hidden: readonly string[]): Iterable<string> {
  for (const [, , number] of text.matchAll(word)) {
    const whole = hidden[Number(number)] ?? '';
    yield whole;
    for (const part of hidden) if (part !== whole && whole.includes(part)) yield part;
  }
}

function hideBetween(
  source: string,
  [open, close]: readonly [string, string],
  hide: (found: string) => string,
): string {
  const parts: string[] = [];
  let done = 0;
  for (;;) {
    const start = source.indexOf(open, done);
    const end = start < 0 ? -1 : source.indexOf(close, start + open.length);
    if (end < 0) return parts.join('') + source.slice(done);
    const next = end + close.length;
    parts.push(source.slice(done, start), hide(source.slice(start, next)));
    done = next;
  }
}

/** A line that is one expression, control flow or a block to be filled in, is read as a comment. */
function commentOut(line: string, stem: string): string {
  if (!line.includes(stem)) return line;
  const match = new RegExp(`^([ \\t]*)(${stem}\\d+)Z([ \\t]*\\r?)$`).exec(line);
  if (match === null) return line;
  const [, indent = '', word = '', end = ''] = match;
  return `${indent}# ${word}C${end}`;
}

function freeStem(source: string): string {
  let stem = 'KtsTemplate';
  while (source.includes(stem)) stem += 'X';
  return stem;
}
