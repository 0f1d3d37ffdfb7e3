/**
 * A set of fields in the form that `managedFields` shows as `fieldsV1`. A node is in the set
 * when it is empty or holds the key `.`; its other keys are the fields below it: `f:name`,
 * `k:{"name":"x"}` for an item of a keyed list, `v:"x"` for an element of a set.
 */
export interface FieldSet {
  readonly [key: string]: FieldSet;
}

export const noFields: FieldSet = Object.freeze({});

/** The one node that is in a set and has nothing below. */
export const leafField: FieldSet = Object.freeze({});

export function isEmptySet(set: FieldSet): boolean {
  return Object.keys(set).length === 0;
}

/** A node from its parts; undefined when nothing of it is in the set. */
export function fieldNode(
  membership: 'in' | 'out',
  below: Readonly<Record<string, FieldSet>>,
): FieldSet | undefined {
  const keys = Object.keys(below).sort();
  if (keys.length === 0) return membership === 'in' ? leafField : undefined;
  const node: Record<string, FieldSet> = {};
  if (membership === 'in') node['.'] = leafField;
  for (const key of keys) node[key] = below[key] ?? leafField;
  return node;
}

export function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, (inA, inB) => inA || inB);
}

/** Fields of `a` that are not in `b`. */
export function differenceOf(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, (inA, inB) => inA && !inB);
}

export function intersectionOf(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, (inA, inB) => inA && inB);
}

type Rule = (inA: boolean, inB: boolean) => boolean;

function combine(a: FieldSet, b: FieldSet, rule: Rule): FieldSet {
  const below: Record<string, FieldSet> = {};
  for (const key of keysBelow(a, b)) {
    const node = combineNode(a[key], b[key], rule);
    if (node !== undefined) below[key] = node;
  }
  return fieldNode('out', below) ?? noFields;
}

function combineNode(
  a: FieldSet | undefined,
  b: FieldSet | undefined,
  rule: Rule,
): FieldSet | undefined {
  const isIn = rule(isMember(a), isMember(b));
  return fieldNode(isIn ? 'in' : 'out', combine(a ?? noFields, b ?? noFields, rule));
}

function keysBelow(a: FieldSet, b: FieldSet): Iterable<string> {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  keys.delete('.');
  return keys;
}

export function isMember(node: FieldSet | undefined): boolean {
  return node !== undefined && (isEmptySet(node) || node['.'] !== undefined);
}

/** `.spec.containers[name="web"].image` for every field, those of one level before those below. */
export function pathsOf(set: FieldSet, prefix = ''): readonly string[] {
  const steps = Object.keys(set)
    .filter((key) => key !== '.')
    .sort()
    .map((key) => ({ path: prefix + stepText(key), node: set[key] ?? leafField }));
  const here = steps.filter(({ node }) => isMember(node)).map(({ path }) => path);
  return [...here, ...steps.flatMap(({ path, node }) => pathsOf(node, path))];
}

function stepText(key: string): string {
  const text = key.slice(2);
  if (key.startsWith('f:')) return `.${text}`;
  if (key.startsWith('v:')) return `[=${text}]`;
  const fields = Object.entries(JSON.parse(text) as Record<string, unknown>);
  return `[${fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
}
