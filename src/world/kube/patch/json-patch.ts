import { isEqual, isList, isObject, type Json, type JsonObject, textAt } from '../json.ts';
import { badRequest, StatusError } from '../status/status.ts';

/** RFC 6902. A test that fails or a path that does not exist refuses the whole patch with 422. */
export function applyJsonPatch(target: Json, patch: Json): Json {
  if (!isList(patch)) {
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
  }
  return patch.reduce<Json>((document, operation) => applyOne(document, operation), target);
}

function applyOne(document: Json, operation: Json): Json {
  if (!isObject(operation)) throw refused();
  const path = pointer(textAt(operation, 'path'));
  switch (operation.op) {
    case 'add':
      return add(document, path, givenValue(operation));
    case 'remove':
      return remove(document, path);
    case 'replace':
      return replace(document, path, givenValue(operation));
    case 'test':
      if (!isEqual(find(document, path) ?? null, operation.value ?? null)) throw refused();
      return document;
    case 'copy':
      return add(document, path, found(document, pointer(textAt(operation, 'from'))));
    case 'move': {
      const from = pointer(textAt(operation, 'from'));
      return add(remove(document, from), path, found(document, from));
    }
    default:
      throw refused();
  }
}

function refused(): StatusError {
  return new StatusError(
    422,
    'Invalid',
    'the server rejected our request due to an error in our request',
    {},
  );
}

type Pointer = readonly string[];

function pointer(text: string | undefined): Pointer {
  if (text === undefined || (text !== '' && !text.startsWith('/'))) throw refused();
  return text
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function givenValue(operation: JsonObject): Json {
  if (operation.value === undefined) throw refused();
  return operation.value;
}

function find(document: Json | undefined, path: Pointer): Json | undefined {
  let at = document;
  for (const key of path) {
    if (isList(at)) at = at[indexOf(key, at.length)];
    else if (isObject(at)) at = at[key];
    else return undefined;
  }
  return at;
}

function found(document: Json, path: Pointer): Json {
  const value = find(document, path);
  if (value === undefined) throw refused();
  return value;
}

/** Rewrites the container that holds the last key of the path. */
function within(document: Json, path: Pointer, change: (holder: Json, key: string) => Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) throw refused();
  if (rest.length === 0) return change(document, key);
  if (isList(document)) {
    const index = indexOf(key, document.length);
    return document.with(index, within(document[index] ?? null, rest, change));
  }
  if (!isObject(document) || document[key] === undefined) throw refused();
  return { ...document, [key]: within(document[key] ?? null, rest, change) };
}

function add(document: Json, path: Pointer, value: Json): Json {
  if (path.length === 0) return value;
  return within(document, path, (holder, key) => {
    if (isList(holder)) {
      const index = key === '-' ? holder.length : indexOf(key, holder.length + 1);
      return holder.toSpliced(index, 0, value);
    }
    if (!isObject(holder)) throw refused();
    return { ...holder, [key]: value };
  });
}

function remove(document: Json, path: Pointer): Json {
  return within(document, path, (holder, key) => {
    if (isList(holder)) return holder.toSpliced(indexOf(key, holder.length), 1);
    if (!isObject(holder) || holder[key] === undefined) throw refused();
    const { [key]: _removed, ...others } = holder;
    return others;
  });
}

function replace(document: Json, path: Pointer, value: Json): Json {
  if (path.length === 0) return value;
  found(document, path);
  return within(document, path, (holder, key) => {
    if (isList(holder)) return holder.with(indexOf(key, holder.length), value);
    return { ...(holder as JsonObject), [key]: value };
  });
}

/** Counts from the end when negative, as the server's library does. */
function indexOf(key: string, length: number): number {
  if (!/^-?\d+$/.test(key)) throw refused();
  const index = Number(key) < 0 ? length + Number(key) : Number(key);
  if (index < 0 || index >= length) throw refused();
  return index;
}
