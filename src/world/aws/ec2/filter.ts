import { invalidParameter } from '../wire/aws-error.ts';
import { children, type Parameters, text, texts } from '../wire/parameters.ts';

/** What filters may ask of one kind of resource. */
export interface Filterable<T> {
  /** Filter name to the values an item has under it. */
  readonly attributes: Readonly<Record<string, (item: T) => string | readonly string[]>>;
  /** Present for resources that have tags: allows `tag:KEY`, `tag-key` and `tag-value`. */
  readonly tagsOf?: (item: T) => ReadonlyMap<string, string>;
}

/** The items that pass every `Filter` of the request. An unknown filter name is refused. */
export function filtered<T>(
  items: readonly T[],
  parameters: Parameters,
  filterable: Filterable<T>,
): readonly T[] {
  const tests = children(parameters, 'Filter').map((filter) => filterTest(filter, filterable));
  return tests.length === 0 ? items : items.filter((item) => tests.every((test) => test(item)));
}

function filterTest<T>(filter: Parameters, filterable: Filterable<T>): (item: T) => boolean {
  const name = text(filter, 'Name') ?? '';
  const valuesOf = valuesUnder(name, filterable);
  if (valuesOf === undefined) throw invalidParameter(`The filter '${name}' is invalid`);
  const matches = anyMatch(texts(filter, 'Value'));
  return (item) => valuesOf(item).some(matches);
}

function valuesUnder<T>(
  name: string,
  { attributes, tagsOf }: Filterable<T>,
): ((item: T) => readonly string[]) | undefined {
  if (tagsOf !== undefined) {
    if (name === 'tag-key') return (item) => [...tagsOf(item).keys()];
    if (name === 'tag-value') return (item) => [...tagsOf(item).values()];
    if (name.startsWith('tag:')) {
      const key = name.slice('tag:'.length);
      return (item) => {
        const value = tagsOf(item).get(key);
        return value === undefined ? [] : [value];
      };
    }
  }
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (attribute === undefined) return undefined;
  return (item) => {
    const value = attribute(item);
    return typeof value === 'string' ? [value] : value;
  };
}

/** Whether a value matches one of the patterns; `*` and `?` are wildcards. */
export function anyMatch(patterns: readonly string[]): (value: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !/[*?]/.test(pattern)));
  const wild = patterns.filter((pattern) => /[*?]/.test(pattern)).map(wildcard);
  return (value) => exact.has(value) || wild.some((expression) => expression.test(value));
}

function wildcard(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
