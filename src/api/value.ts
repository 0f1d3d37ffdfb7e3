/** A manifest as plain data, before anything is known of its kind. */
export type Value = null | boolean | number | string | readonly Value[] | ValueMap;
export interface ValueMap {
  readonly [key: string]: Value;
}

/** Where a value stands in a manifest: keys of maps and numbers in lists. */
export type Path = readonly (string | number)[];

export function isMap(value: Value | undefined): value is ValueMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** The value at the path; undefined where there is none. Keys of prototypes are never seen. */
export function valueAt(root: Value | undefined, path: Path): Value | undefined {
  let value = root;
  for (const step of path) value = childOf(value, step);
  return value;
}

function childOf(value: Value | undefined, step: string | number): Value | undefined {
  if (isList(value)) return typeof step === 'number' ? value[step] : undefined;
  if (!isMap(value) || !Object.hasOwn(value, String(step))) return undefined;
  return value[String(step)];
}

export function mapAt(root: Value | undefined, path: Path): ValueMap {
  const value = valueAt(root, path);
  return isMap(value) ? value : {};
}

export function listAt(root: Value | undefined, path: Path): readonly Value[] {
  const value = valueAt(root, path);
  return isList(value) ? value : [];
}

export function textAt(root: Value | undefined, path: Path): string | undefined {
  const value = valueAt(root, path);
  return typeof value === 'string' ? value : undefined;
}

/** `spec.template.spec.taints[0].key`; keys that are no plain words stand in brackets. */
export function pathText(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

export interface Leaf {
  readonly path: Path;
  readonly value: Value;
}

/** Every scalar, and every empty map and list, with its path. Works without recursion. */
export function leavesOf(root: Value, at: Path = []): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const waiting: Leaf[] = [{ path: at, value: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, value } = next;
    const children = childrenOf(value);
    if (children.length === 0) leaves.push(next);
    for (const [step, child] of children.toReversed())
      waiting.push({ path: [...path, step], value: child });
  }
  return leaves;
}

function childrenOf(value: Value): readonly (readonly [string | number, Value])[] {
  if (isList(value)) return value.map((child, index) => [index, child]);
  return isMap(value) ? Object.entries(value) : [];
}

/** The value on one line, as JSON writes it. */
export function inlineText(value: Value): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return JSON.stringify(value);
}
