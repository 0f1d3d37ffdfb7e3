import {
  inlineText,
  isList,
  isMap,
  type Leaf,
  leavesOf,
  type Path,
  pathText,
  type Value,
  type ValueMap,
  valueAt,
} from '../value.ts';

/**
 * One step from an old manifest to a new one, as data, so that the same step can be taken on plain
 * values and on a text with comments.
 */
export type Edit =
  /** Puts a value in place of another, or adds it; missing maps on the way are made. */
  | { readonly kind: 'set'; readonly at: Path; readonly value: Value }
  /** Gives an entry of a map another key in the same place. */
  | { readonly kind: 'rename'; readonly at: Path; readonly to: string }
  /** Takes an entry elsewhere; missing maps on the way are made. Nothing may stand there. */
  | { readonly kind: 'move'; readonly from: Path; readonly to: Path }
  | { readonly kind: 'remove'; readonly at: Path }
  /** Makes of a value the only entry of a list of maps: `v` becomes `[{key: v}]`. */
  | { readonly kind: 'wrap'; readonly at: Path; readonly key: string }
  /** Takes the place of the map around it: `{key: v}` becomes `v`. */
  | { readonly kind: 'lift'; readonly at: Path }
  /** Leaves the value alone and asks about it in a comment. */
  | { readonly kind: 'ask'; readonly at: Path; readonly question: string };

export function applyEdits(root: Value, edits: readonly Edit[]): Value {
  return edits.reduce(applyEdit, root);
}

function applyEdit(root: Value, edit: Edit): Value {
  switch (edit.kind) {
    case 'set':
      return replaced(root, edit.at, () => edit.value);
    case 'rename':
      return moved(root, edit.at, [...edit.at.slice(0, -1), edit.to]);
    case 'move':
      return moved(root, edit.from, edit.to);
    case 'remove':
      return replaced(root, edit.at, () => undefined);
    case 'wrap':
      return replaced(root, edit.at, (value = null) => [{ [edit.key]: value }]);
    case 'lift': {
      const value = valueAt(root, edit.at);
      return replaced(root, edit.at.slice(0, -1), () => value);
    }
    case 'ask':
      return root;
  }
}

function moved(root: Value, from: Path, to: Path): Value {
  const value = valueAt(root, from);
  if (value === undefined) return root;
  return replaced(
    replaced(root, from, () => undefined),
    to,
    () => value,
  );
}

/** A copy with another value at the path; `undefined` takes it away. */
function replaced(
  root: Value | undefined,
  path: Path,
  change: (value: Value | undefined) => Value | undefined,
): Value {
  return replacedAt(root, path, change) ?? null;
}

function replacedAt(
  value: Value | undefined,
  path: Path,
  change: (value: Value | undefined) => Value | undefined,
): Value | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (isList(value) && typeof step === 'number') {
    const next = replacedAt(value[step], rest, change);
    if (next === undefined) return value.filter((_, index) => index !== step);
    return step < value.length ? value.with(step, next) : [...value, next];
  }
  const map: ValueMap = isMap(value) ? value : {};
  const key = String(step);
  const before = Object.hasOwn(map, key) ? map[key] : undefined;
  const next = replacedAt(before, rest, change);
  const others = Object.entries(map).filter(([name]) => name !== key);
  // Built from entries, since assigning a key such as `__proto__` would not add it.
  return Object.fromEntries(next === undefined ? others : [...others, [key, next]]);
}

/** What the edit does to this value, naming every value that it takes away. */
export function describeEdit(root: Value, edit: Edit): string {
  const lost = lossOf(root, edit).map(
    ({ path, value }) => `${pathText(path)}: ${inlineText(value)}`,
  );
  const text = deedOf(root, edit);
  return lost.length === 0 ? text : `${text} in place of ${lost.join(', ')}`;
}

function deedOf(root: Value, edit: Edit): string {
  switch (edit.kind) {
    case 'set': {
      const before = valueAt(root, edit.at);
      const after = inlineText(edit.value);
      if (before === undefined) return `${pathText(edit.at)}: ${after} is added`;
      return `${pathText(edit.at)}: ${inlineText(before)} -> ${after}`;
    }
    case 'rename':
      return `${pathText(edit.at)} -> ${pathText([...edit.at.slice(0, -1), edit.to])}`;
    case 'move':
      return `${pathText(edit.from)} -> ${pathText(edit.to)}`;
    case 'remove': {
      const gone = leavesOf(valueAt(root, edit.at) ?? null, edit.at);
      const texts = gone.map(({ path, value }) => `${pathText(path)}: ${inlineText(value)}`);
      return `${texts.join(', ')} is removed`;
    }
    case 'wrap':
      return `${pathText(edit.at)} -> ${pathText([...edit.at, 0, edit.key])}`;
    case 'lift':
      return `${pathText(edit.at)} -> ${pathText(edit.at.slice(0, -1))}`;
    case 'ask':
      return `${pathText(edit.at)}: to be answered`;
  }
}

/** What stands in the way of an edit and gives place to it. */
function lossOf(root: Value, edit: Edit): readonly Leaf[] {
  if (edit.kind === 'set')
    return valueAt(root, edit.at) === undefined ? obstaclesOn(root, edit.at) : [];
  if (edit.kind === 'move') return obstaclesOn(root, edit.to);
  if (edit.kind === 'rename') return obstaclesOn(root, [...edit.at.slice(0, -1), edit.to]);
  if (edit.kind !== 'lift') return [];
  const around = edit.at.slice(0, -1);
  const own = pathText(edit.at);
  const all = leavesOf(valueAt(root, around) ?? null, around);
  return all.filter(({ path }) => !pathText(path).startsWith(own));
}

function obstaclesOn(root: Value, path: Path): readonly Leaf[] {
  for (const length of path.keys()) {
    const at = path.slice(0, length + 1);
    const value = valueAt(root, at);
    const isEnd = length === path.length - 1;
    if (value === undefined || value === null) return [];
    const isRoad = isMap(value) || (isList(value) && typeof path[length + 1] === 'number');
    if (isEnd || !isRoad) return leavesOf(value, at);
  }
  return [];
}
