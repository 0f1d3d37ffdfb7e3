import { type Environment, EvaluationError } from '@marcbachmann/cel-js';
import { quantityNanos } from '../../decode/quantity.ts';
import { re2 } from '../re2/re2.ts';

/**
 * The functions that Kubernetes gives to rules beyond those of CEL, and those of the evaluator
 * that differ from Go's. The latter stand under another name, which `renamed` puts into rules,
 * since a function cannot be replaced.
 */
export function addLibrary(environment: Environment): Environment {
  addConversions(environment);
  addTexts(environment);
  addLists(environment);
  addQuantities(environment);
  return environment;
}

const ownNames: Readonly<Record<string, string>> = {
  matches: 'matchesRe2',
  int: 'goInt',
  lowerAscii: 'asciiLower',
  upperAscii: 'asciiUpper',
};

const textOrCall =
  /([rRbB]{0,2}(?:'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"))|\b(matches|int|lowerAscii|upperAscii)(?=\s*\()/g;

/** The rule with our own names for the functions that we replace. */
export function renamed(rule: string): string {
  return rule.replaceAll(
    textOrCall,
    (found, text?: string, name?: string) => text ?? ownNames[name ?? ''] ?? found,
  );
}

function failure(message: string): EvaluationError {
  return new EvaluationError({ code: 'library', message });
}

const largestInt = 2n ** 63n - 1n;

function addConversions(environment: Environment): void {
  environment
    .registerFunction('goInt(int): int', (value: bigint) => value)
    .registerFunction('goInt(double): int', (value: number) => intOfDouble(value))
    .registerFunction('goInt(string): int', (value: string) => intOfText(value))
    .registerFunction('goInt(google.protobuf.Timestamp): int', (value: Date) =>
      BigInt(Math.floor(value.getTime() / 1000)),
    );
}

function intOfDouble(value: number): bigint {
  if (!(Math.abs(value) < 2 ** 63)) throw failure('integer overflow');
  return BigInt(Math.trunc(value));
}

function intOfText(text: string): bigint {
  const value = /^[+-]?\d+$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value > largestInt || value < -largestInt - 1n) {
    throw failure("type conversion error from 'string' to 'int'");
  }
  return value;
}

function addTexts(environment: Environment): void {
  environment
    .registerFunction('string.matchesRe2(string): bool', (text: string, pattern: string) =>
      expression(pattern).test(text),
    )
    .registerFunction('matchesRe2(string, string): bool', (text: string, pattern: string) =>
      expression(pattern).test(text),
    )
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => expression(pattern).find(text) ?? '',
    )
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => [
      ...expression(pattern).findAll(text),
    ])
    .registerFunction(
      'string.findAll(string, int): list<string>',
      (text: string, pattern: string, limit: bigint) => [
        ...expression(pattern).findAll(text, limit < 0n ? Infinity : Number(limit)),
      ],
    )
    .registerFunction('string.asciiLower(): string', (text: string) =>
      text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase()),
    )
    .registerFunction('string.asciiUpper(): string', (text: string) =>
      text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase()),
    )
    .registerFunction(
      'string.replace(string, string): string',
      (text: string, from: string, to: string) => text.split(from).join(to),
    )
    .registerFunction('string.charAt(int): string', charAt)
    .registerFunction('isURL(string): bool', (text: string) => isUrl(text));
}

function expression(pattern: string) {
  try {
    return re2(pattern);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw failure(`error parsing regexp: ${error.message}`);
  }
}

function charAt(text: string, index: bigint): string {
  const chars = [...text];
  if (index < 0n || index > BigInt(chars.length)) throw failure(`index out of range: ${index}`);
  return chars[Number(index)] ?? '';
}

/** A URL with a scheme and something after it, or an absolute path. */
function isUrl(text: string): boolean {
  return text.startsWith('/') || (/^[A-Za-z][A-Za-z0-9+.-]*:./.test(text) && URL.canParse(text));
}

type Ordered = string | number | bigint;

function addLists(environment: Environment): void {
  environment
    .registerFunction('list.isSorted(): bool', (list: readonly Ordered[]) =>
      list.every((item, i) => i === 0 || (list[i - 1] as Ordered) <= item),
    )
    .registerFunction('list.sum(): dyn', (list: readonly Ordered[]) =>
      list.reduce((sum, item) => (sum as bigint) + (item as bigint), 0n),
    )
    .registerFunction('list.min(): dyn', (list: readonly Ordered[]) =>
      outermost(list, (item, best) => item < best),
    )
    .registerFunction('list.max(): dyn', (list: readonly Ordered[]) =>
      outermost(list, (item, best) => item > best),
    )
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], item: unknown) =>
      BigInt(list.indexOf(item)),
    )
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], item: unknown) =>
      BigInt(list.lastIndexOf(item)),
    );
}

function outermost(
  list: readonly Ordered[],
  isBetter: (item: Ordered, best: Ordered) => boolean,
): Ordered {
  const [first, ...rest] = list;
  if (first === undefined) throw failure('min/max called on empty list');
  return rest.reduce((best, item) => (isBetter(item, best) ? item : best), first);
}

/** A Kubernetes quantity inside a rule. */
class Quantity {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

function addQuantities(environment: Environment): void {
  const type = 'kubernetesQuantity';
  environment
    .registerType(type, Quantity)
    .registerFunction(
      'isQuantity(string): bool',
      (text: string) => quantityNanos(text) !== undefined,
    )
    .registerFunction(`quantity(string): ${type}`, (text: string) => {
      const nanos = quantityNanos(text);
      if (nanos === undefined) throw failure('quantities must match the regular expression');
      return new Quantity(nanos);
    })
    .registerFunction(
      `${type}.isGreaterThan(${type}): bool`,
      (a: Quantity, b: Quantity) => a.nanos > b.nanos,
    )
    .registerFunction(
      `${type}.isLessThan(${type}): bool`,
      (a: Quantity, b: Quantity) => a.nanos < b.nanos,
    )
    .registerFunction(`${type}.compareTo(${type}): int`, (a: Quantity, b: Quantity) =>
      BigInt(Number(a.nanos > b.nanos) - Number(a.nanos < b.nanos)),
    )
    .registerFunction(`${type}.sign(): int`, ({ nanos }: Quantity) =>
      BigInt(Number(nanos > 0n) - Number(nanos < 0n)),
    );
}
