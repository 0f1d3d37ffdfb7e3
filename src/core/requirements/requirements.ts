import {
  absent,
  allowsAbsence,
  anyValue,
  except,
  has,
  intersect,
  isImpossible,
  isPartOf,
  never,
  only,
  overlaps,
  type ValueSet,
} from './value-set.ts';

/** What is asked of a node's labels, one value set per label key. */
export type Requirements = ReadonlyMap<string, ValueSet>;

/** All that manifests may write. */
export const operators = [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
  'Gt',
  'Lt',
  'Gte',
  'Lte',
] as const;
export type Operator = (typeof operators)[number];

/** One requirement as manifests write it. */
export interface RequirementTerm {
  readonly key: string;
  readonly operator: Operator;
  readonly values?: readonly string[] | undefined;
  readonly minValues?: number | undefined;
}

export const noRequirements: Requirements = new Map();

/** The conjunction of terms; terms on one key are intersected. Old label names are renewed. */
export function requirementsOf(terms: Iterable<RequirementTerm>): Requirements {
  const result = new Map<string, ValueSet>();
  for (const term of terms) narrow(result, renewedKey(term.key), valueSetOf(term));
  return result;
}

/** Requirements that exactly these labels meet. */
export function labelsAsRequirements(labels: Readonly<Record<string, string>>): Requirements {
  const result = new Map<string, ValueSet>();
  for (const [key, value] of Object.entries(labels)) result.set(renewedKey(key), only([value]));
  return result;
}

/** The set of one term. A bound that is no integer and an `In` without values meet nothing. */
function valueSetOf(term: RequirementTerm): ValueSet {
  const [first = ''] = term.values ?? [];
  const isBound = term.operator.startsWith('G') || term.operator.startsWith('L');
  if (isBound && !/^[+-]?\d+$/.test(first)) return never;
  const bound = Number(first);
  switch (term.operator) {
    case 'In':
      return term.values === undefined || term.values.length === 0 ? never : oneOf(term.values);
    case 'NotIn':
      return except(term.values ?? []);
    case 'Exists':
      return anyValue;
    case 'DoesNotExist':
      return absent;
    case 'Gt':
      return except([], bound + 1);
    case 'Gte':
      return except([], bound);
    case 'Lt':
      return except([], -Infinity, bound - 1);
    case 'Lte':
      return except([], -Infinity, bound);
  }
}

const mostShared = 4096;
const shared = new Map<string, ValueSet>();

/** The same few values are asked for again and again, and mostly are the same set. */
function oneOf(values: readonly string[]): ValueSet {
  const text = values.length === 1 ? (values[0] ?? '') : values.join();
  const known = shared.get(text);
  if (known !== undefined && isJust(known, values)) return known;
  if (shared.size >= mostShared) shared.clear();
  const set = only(values);
  shared.set(text, set);
  return set;
}

function isJust(set: ValueSet, values: readonly string[]): boolean {
  if (set.values.size !== values.length) return false;
  for (const value of values) if (!set.values.has(value)) return false;
  return true;
}

/** Both sets of requirements at once; one of them itself where the other asks for nothing. */
export function combine(a: Requirements, b: Requirements): Requirements {
  if (b.size === 0) return a;
  if (a.size === 0) return b;
  const result = new Map(a);
  for (const [key, set] of b) narrow(result, key, set);
  return result;
}

/** The first key, by name, on which the two sets exclude each other. */
export function firstConflict(a: Requirements, b: Requirements): string | undefined {
  let first: string | undefined;
  for (const [key, set] of b) {
    const other = a.get(key);
    if (other === undefined || overlaps(other, set)) continue;
    if (first === undefined || key < first) first = key;
  }
  return first;
}

/**
 * The first key, by name, of `wanted` that `offered` cannot meet. A key that `offered` does not
 * define is met when absence will do, or when `mayBeUndefined` says that the key is settled later.
 */
export function firstUnmet(
  offered: Requirements,
  wanted: Requirements,
  mayBeUndefined: (key: string) => boolean,
): string | undefined {
  let first: string | undefined;
  for (const [key, set] of wanted) {
    const isMissing = !offered.has(key) && !allowsAbsence(set) && !mayBeUndefined(key);
    if ((isMissing || isImpossible(set)) && (first === undefined || key < first)) first = key;
  }
  return first ?? firstConflict(offered, wanted);
}

/** Whether a node with exactly these labels, named as they are now, meets the requirements. */
export function labelsMeet(
  labels: Readonly<Record<string, string>>,
  wanted: Requirements,
): boolean {
  for (const [key, set] of wanted) {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (value === undefined ? !allowsAbsence(set) : !has(set, value)) return false;
  }
  return true;
}

/** The same, whatever becomes of labels that are still open. */
export function labelsSurelyMeet(
  labels: Readonly<Record<string, string>>,
  open: Requirements | undefined,
  wanted: Requirements,
): boolean {
  return labelsMeet(labels, wanted) && !mayDisappoint(open, wanted);
}

/** Whether a label that is still open may get a value that is not wanted. */
function mayDisappoint(open: Requirements | undefined, wanted: Requirements): boolean {
  if (open === undefined || open.size === 0) return false;
  for (const [key, set] of wanted) {
    const possible = open.get(key);
    if (possible !== undefined && !isPartOf(possible, set)) return true;
  }
  return false;
}

const keyTexts = new WeakMap<Requirements, string>();

/** Equal for equal requirements, whatever the order in which they were written. */
export function requirementsKey(requirements: Requirements): string {
  if (requirements.size === 0) return '';
  const known = keyTexts.get(requirements);
  if (known !== undefined) return known;
  const keys = [...requirements.keys()];
  if (keys.length > 1) keys.sort();
  const text = keys.map((key) => keyTextOf(key, requirements.get(key) ?? anyValue)).join(' and ');
  keyTexts.set(requirements, text);
  return text;
}

/** One of a few values is what nearly everyone asks for, and quickly written. */
function keyTextOf(key: string, set: ValueSet): string {
  if (set.kind === 'only' && !set.mayBeAbsent) return `${key} In ${[...set.values].sort().join()}`;
  return termsOfKey(key, set)
    .map(({ operator, values = [] }) => `${key} ${operator} ${values.join()}`)
    .join(' and ');
}

/** Requirements as manifests write them, sorted by key, values sorted. */
export function termsOf(requirements: Requirements): RequirementTerm[] {
  return [...requirements.keys()]
    .sort()
    .flatMap((key) => termsOfKey(key, requirements.get(key) ?? anyValue));
}

function termsOfKey(key: string, set: ValueSet): RequirementTerm[] {
  const values = [...set.values].sort();
  // `In` without values is how to say that nothing will do; `DoesNotExist` asks for absence.
  if (set.kind === 'only')
    return [set.mayBeAbsent ? { key, operator: 'DoesNotExist' } : { key, operator: 'In', values }];
  const terms: RequirementTerm[] = [];
  if (set.min !== -Infinity) terms.push({ key, operator: 'Gte', values: [String(set.min)] });
  if (set.max !== Infinity) terms.push({ key, operator: 'Lte', values: [String(set.max)] });
  if (values.length > 0) terms.push({ key, operator: 'NotIn', values });
  // `NotIn` alone would let the label be missing again.
  if (terms.length === 1 && values.length > 0 && !set.mayBeAbsent)
    terms.push({ key, operator: 'Exists' });
  return terms.length > 0 ? terms : [{ key, operator: 'Exists' }];
}

function narrow(into: Map<string, ValueSet>, key: string, set: ValueSet): void {
  const before = into.get(key);
  into.set(key, before === undefined ? set : intersect(before, set));
}

const renewed: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

/** The present name of a label that once had another. */
export function renewedKey(key: string): string {
  return Object.hasOwn(renewed, key) ? (renewed[key] ?? key) : key;
}

/** Labels that can be asked for under their present names as well; a value under that name stands. */
export function withRenewedKeys(labels: Readonly<Record<string, string>>): Record<string, string> {
  const result = { ...labels };
  for (const old in renewed) {
    const value = result[old];
    if (value !== undefined) result[renewedKey(old)] ??= value;
  }
  return result;
}
