import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type Node,
  parseDocument,
  type Tags,
} from 'yaml';
import type { Value } from '../value.ts';
import { keyText } from './yaml-place.ts';

/** A document as YAML with its comments, and as plain data; or why it cannot be read. */
export type ReadYaml =
  | { readonly kind: 'read'; readonly yaml: Document; readonly value: Value }
  /** YAML of another world, with tags of its own, and no object of Kubernetes. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unreadable'; readonly problem: string; readonly offset: number };

/** Deeper than any manifest, and far from where stacks end. */
const deepest = 100;
const mostAliases = 100;

/** Reads one document the way kubectl does: YAML 1.1 without times and dates, merged keys included. */
export function readYaml(text: string): ReadYaml {
  const control = controlCharacter(text);
  if (control !== undefined)
    return unreadable('a control character, which YAML does not allow', control);
  const depth = roughDepth(text);
  if (depth !== undefined) return unreadable(`it is nested more than ${deepest} deep`, depth);
  const yaml = attempt(() => parse(text));
  if (typeof yaml === 'string') return unreadable(yaml, 0);
  const [error] = yaml.errors;
  if (error !== undefined) return unreadable(firstLine(error.message), error.pos[0]);
  const fault = faultIn(yaml);
  if (fault !== undefined) return fault;
  // The text of the value says whether it ends: an alias may lead back to where it stands.
  const whole = attempt(() => {
    const value = (yaml.toJS({ maxAliasCount: mostAliases }) ?? null) as Value;
    return { value, text: JSON.stringify(value) };
  });
  if (typeof whole === 'string') return unreadable(whole, 0);
  return { kind: 'read', yaml, value: whole.value };
}

/** What the library makes, or the first line of what it says instead. */
function attempt<T extends object>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return 'it is nested too deep to be read';
    if (error instanceof TypeError) return 'its aliases lead in a circle';
    // Aliases that unfold without end or point nowhere, keys merged from what is no map.
    if (error instanceof Error) return firstLine(error.message);
    throw error;
  }
}

function parse(text: string): Document {
  return parseDocument(text, {
    version: '1.1',
    merge: true,
    strict: true,
    // The library compares every key with every other; `faultIn` looks each up once.
    uniqueKeys: false,
    logLevel: 'silent',
    prettyErrors: false,
    customTags: (tags) => tags.filter((tag) => !isTime(tag)).map(keepingSource),
  });
}

function isTime(tag: Tags[number]): boolean {
  if (typeof tag === 'string') return ['timestamp', 'intTime', 'floatTime'].includes(tag);
  return tag.tag === 'tag:yaml.org,2002:timestamp' || ('format' in tag && tag.format === 'TIME');
}

/** Numbers are printed as they were written: `1_000`, `0x1F`, and more digits than a double holds. */
function keepingSource(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || !/:(int|float)$/.test(tag.tag) || tag.collection !== undefined)
    return tag;
  const { stringify } = tag;
  return {
    ...tag,
    stringify: (item, context, onComment, onChompKeep) =>
      item.source ?? stringify?.(item, context, onComment, onChompKeep) ?? String(item.value),
  };
}

/** Whoever nests that deep has no manifest; a reader that recurses would break on it. */
function roughDepth(text: string): number | undefined {
  let depth = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === 91 || code === 123) depth++;
    else if (code === 93 || code === 125) depth = Math.max(0, depth - 1);
    if (depth > deepest) return offset;
  }
  const run = /(?:[-?] ){101}/.exec(text);
  return run?.index;
}

function controlCharacter(text: string): number | undefined {
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    const isAllowed = code >= 32 ? code !== 127 : code === 9 || code === 10 || code === 13;
    if (!isAllowed) return offset;
  }
  return undefined;
}

function faultIn(yaml: Document): ReadYaml | undefined {
  const waiting: { readonly node: unknown; readonly depth: number }[] = [
    { node: yaml.contents, depth: 0 },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    if (!isNode(node) || isAlias(node)) continue;
    if (isForeign(node)) return foreign(yaml, node);
    if (isScalar(node)) continue;
    if (depth > deepest) return unreadable(`it is nested more than ${deepest} deep`, startOf(node));
    const twice = repeatedKey(node);
    if (twice !== undefined) return twice;
    for (const item of isCollection(node) ? node.items : []) {
      const child = isNode(item) ? item : (item as { readonly value: unknown }).value;
      waiting.push({ node: child, depth: depth + 1 });
    }
  }
  return undefined;
}

const ownTags = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq|merge)$/;

function isForeign(node: Node): boolean {
  const { tag } = node as { readonly tag?: string };
  return tag !== undefined && !ownTags.test(tag);
}

/** CloudFormation and its like have tags of their own; an object of Kubernetes has none. */
function foreign(yaml: Document, node: Node): ReadYaml {
  const isObject = isMap(yaml.contents) && yaml.contents.has('apiVersion');
  if (!isObject) return { kind: 'foreign' };
  const { tag } = node as { readonly tag?: string };
  return unreadable(`the tag ${tag ?? ''} has no meaning here`, startOf(node));
}

function repeatedKey(node: Node): ReadYaml | undefined {
  if (!isMap(node)) return undefined;
  const seen = new Set<string>();
  for (const item of node.items) {
    const key = keyText(item);
    if (key === undefined || key === '<<') continue;
    if (seen.has(key))
      return unreadable(`the key ${JSON.stringify(key)} is given twice`, startOf(item.key));
    seen.add(key);
  }
  return undefined;
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function unreadable(problem: string, offset: number): ReadYaml {
  return { kind: 'unreadable', problem, offset };
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
