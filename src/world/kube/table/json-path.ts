import { isList, isObject, type Json } from '../json.ts';

/** One step of a path: a field, a list index, every item, or the items that pass a test. */
export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly test: FilterTest };

interface FilterTest {
  readonly path: readonly PathStep[];
  readonly operator: '==' | '!=' | 'exists';
  readonly value: Json;
}

/**
 * Reads the part of JSONPath that printer columns and `kubectl wait` use: `.spec.x`, `\.` in a
 * name, `['name']`, `[0]`, `[*]` and `[?(@.type=="Ready")]`. Undefined when it is anything else.
 */
export function parseJsonPath(path: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = [];
  let rest = path.trim();
  while (rest !== '') {
    const next = nextStep(rest);
    if (next === undefined) return undefined;
    steps.push(...next.steps);
    rest = rest.slice(next.length);
  }
  return steps;
}

/** Every value that the path leads to, in order. Missing fields lead nowhere. */
export function findAll(value: Json | undefined, steps: readonly PathStep[]): readonly Json[] {
  const [step, ...rest] = steps;
  if (value === undefined) return [];
  if (step === undefined) return [value];
  return follow(value, step).flatMap((found) => findAll(found, rest));
}

const field = /^\.((?:\\.|[^.[\\])+)/;
const quoted = /^\.?\[\s*(?:'((?:\\.|[^'])*)'|"((?:\\.|[^"])*)")\s*\]/;
const index = /^\.?\[\s*(-?\d+)\s*\]/;
const every = /^(?:\.?\[\s*\*\s*\]|\.\*)/;
const filter = /^\.?\[\?\(\s*@((?:\\.|[^=!<>)\s])*)\s*(?:(==|!=)\s*([^)]+?)\s*)?\)\]/;

function nextStep(
  rest: string,
): { readonly steps: readonly PathStep[]; readonly length: number } | undefined {
  const all = every.exec(rest);
  if (all !== null) return { steps: [{ kind: 'all' }], length: all[0].length };
  const name = quoted.exec(rest);
  if (name !== null) return named(name[1] ?? name[2] ?? '', name[0].length);
  const number = index.exec(rest);
  if (number !== null) {
    return { steps: [{ kind: 'index', index: Number(number[1]) }], length: number[0].length };
  }
  const test = filter.exec(rest);
  if (test !== null) return filtered(test);
  const plain = field.exec(rest);
  if (plain !== null) return named(plain[1] ?? '', plain[0].length);
  return rest === '.' ? { steps: [], length: 1 } : undefined;
}

function named(text: string, length: number): { steps: readonly PathStep[]; length: number } {
  return { steps: [{ kind: 'field', name: text.replace(/\\(.)/g, '$1') }], length };
}

function filtered(
  match: RegExpExecArray,
): { readonly steps: readonly PathStep[]; readonly length: number } | undefined {
  const path = parseJsonPath(match[1] ?? '');
  if (path === undefined) return undefined;
  const operator = match[2] === '==' || match[2] === '!=' ? match[2] : 'exists';
  const test: FilterTest = { path, operator, value: literal(match[3] ?? '') };
  return { steps: [{ kind: 'filter', test }], length: match[0].length };
}

function literal(text: string): Json {
  const inQuotes = /^(?:'(.*)'|"(.*)")$/s.exec(text);
  if (inQuotes !== null) return inQuotes[1] ?? inQuotes[2] ?? '';
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

function follow(value: Json, step: PathStep): readonly Json[] {
  switch (step.kind) {
    case 'field': {
      const found = isObject(value) ? value[step.name] : undefined;
      return found === undefined ? [] : [found];
    }
    case 'index': {
      const found = isList(value) ? value.at(step.index) : undefined;
      return found === undefined ? [] : [found];
    }
    case 'all':
      return children(value);
    case 'filter':
      return children(value).filter((item) => passes(item, step.test));
  }
}

function children(value: Json): readonly Json[] {
  if (isList(value)) return value;
  if (!isObject(value)) return [];
  return Object.values(value).filter((child): child is Json => child !== undefined);
}

function passes(item: Json, test: FilterTest): boolean {
  const found = findAll(item, test.path);
  if (test.operator === 'exists') return found.length > 0;
  if (found.length === 0) return false;
  return (found[0] === test.value) === (test.operator === '==');
}
