/** So much text, or so many pieces of it, is one step. */
const textPerStep = 16_384;
const piecesPerStep = 512;
/** So many parts of a value are looked at, or written, at a time. */
const partsPerPiece = 512;

/**
 * Plain values that may share parts, as lines of JSON: objects, arrays, Maps and Sets, and every
 * number, NaN included. `GraphReader` makes the same values of it again: parts that were one value
 * are one value, parts that were merely equal stay two. Comes in small steps, of which some may
 * be empty. Throws for what is no plain value (a class, a function) or leads back to itself.
 *
 * Every array, object, Map and Set is a line of its own, which comes after all that it refers to
 * as `[number]`. Objects name a line with their keys, for most have the same ones as another.
 */
export function* writingGraph(root: unknown): Generator<string, void> {
  let step = '';
  let count = 0;
  for (const piece of piecesOf(root)) {
    step += piece;
    if (++count < piecesPerStep && step.length < textPerStep) continue;
    yield step;
    step = '';
    count = 0;
  }
  yield step;
}

/** A value whose parts are being written. */
interface Visit {
  readonly kind: 'object' | 'list' | 'map' | 'set' | 'end';
  readonly value: object;
  readonly parts: readonly unknown[];
  /** Of an object, in the order of its parts. */
  readonly keys?: readonly string[] | undefined;
  /** How many of the parts are written. */
  done: number;
}

function* piecesOf(root: unknown): Generator<string, void> {
  const numbers = new Numbers();
  const end = [root];
  const path: Visit[] = [{ kind: 'end', value: end, parts: end, done: 0 }];
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const part = firstUnwritten(visit, numbers);
    if (part !== undefined) {
      path.push(visitOf(part));
    } else if (visit.done === visit.parts.length) {
      path.pop();
      yield* lineOf(visit, numbers);
    }
    yield '';
  }
}

/** The next part that has no line yet. None either where many have one: ask again then. */
function firstUnwritten(visit: Visit, numbers: Numbers): object | undefined {
  const until = Math.min(visit.parts.length, visit.done + partsPerPiece);
  for (; visit.done < until; visit.done++) {
    const part = visit.parts[visit.done];
    if (typeof part === 'object' && part !== null && numbers.open(part)) return part;
  }
  return undefined;
}

function visitOf(value: object): Visit {
  if (Array.isArray(value)) return { kind: 'list', value, parts: value, done: 0 };
  if (value instanceof Map) return { kind: 'map', value, parts: [...value].flat(), done: 0 };
  if (value instanceof Set) return { kind: 'set', value, parts: [...value], done: 0 };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new Error('writing a graph of values: it holds an object of a class');
  const keys = Object.keys(value);
  return { kind: 'object', value, parts: Object.values(value), keys, done: 0 };
}

function* lineOf(visit: Visit, numbers: Numbers): Generator<string, void> {
  const { kind, value, parts, keys } = visit;
  let text = keys === undefined ? `["${kind}"` : objectHead(keys, numbers);
  for (let at = 0; at < parts.length; at++) {
    text += `,${numbers.textOf(parts[at])}`;
    if (at % partsPerPiece < partsPerPiece - 1) continue;
    yield text;
    text = '';
  }
  yield `${text}]\n`;
  numbers.close(value);
}

function objectHead(keys: readonly string[], numbers: Numbers): string {
  const { number, isNew } = numbers.ofKeys(keys);
  const head = `["object",${number}`;
  return isNew ? `${JSON.stringify(['keys', ...keys])}\n${head}` : head;
}

/** Under which number lines are found that are written already. */
class Numbers {
  readonly #values = new Map<object, number>();
  /** Lists of keys by their text; two lists may have the same, if a key holds a comma. */
  readonly #keys = new Map<
    string,
    { readonly keys: readonly string[]; readonly number: number }[]
  >();
  #nextKeys = 0;
  #next = 0;

  /** Whether the value still needs a line; from now on it is being written. */
  open(value: object): boolean {
    const known = this.#values.get(value);
    if (known === beingWritten)
      throw new Error('writing a graph of values: one of them leads back to itself');
    if (known === undefined) this.#values.set(value, beingWritten);
    return known === undefined;
  }

  close(value: object): void {
    this.#values.set(value, this.#next++);
  }

  ofKeys(keys: readonly string[]): { readonly number: number; readonly isNew: boolean } {
    const text = keys.join();
    const alike = this.#keys.get(text) ?? [];
    const known = alike.find((one) => isSame(one.keys, keys));
    if (known !== undefined) return { number: known.number, isNew: false };
    const number = this.#nextKeys++;
    this.#keys.set(text, [...alike, { keys, number }]);
    return { number, isNew: true };
  }

  textOf(part: unknown): string {
    if (typeof part === 'object' && part !== null) return `[${this.#values.get(part)}]`;
    return scalarText(part);
  }
}

const beingWritten = -1;

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

/** What JSON has no word for stands in brackets, as references do. */
function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return '[]';
    case 'number':
      if (Number.isFinite(value) && !Object.is(value, -0)) return String(value);
      return Object.is(value, -0) ? '["-0"]' : `["${value}"]`;
    case 'string':
    case 'boolean':
    case 'object':
      return JSON.stringify(value);
    default:
      throw new Error(`writing a graph of values: it holds a ${typeof value}`);
  }
}
