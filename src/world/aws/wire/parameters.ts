import { invalidParameter, missingParameter } from './aws-error.ts';

/** Parameters of a query request, nested along the dots of their names: `Filter.1.Value.2`. */
export interface Parameters {
  readonly [name: string]: string | Parameters;
}

type Building = { [name: string]: string | Building };

export const noParameters: Parameters = Object.freeze(Object.create(null) as Building);

/** Nests form-encoded names. A name that is both a value and a parent keeps the parent. */
export function parseParameters(pairs: Iterable<readonly [string, string]>): Parameters {
  const root: Building = Object.create(null);
  for (const [name, value] of pairs) {
    const path = name.split('.');
    const last = path.pop() ?? name;
    const parent = path.reduce(descend, root);
    if (typeof parent[last] !== 'object') parent[last] = value;
  }
  return root;
}

function descend(node: Building, step: string): Building {
  const next = node[step];
  if (typeof next === 'object') return next;
  const created: Building = Object.create(null);
  node[step] = created;
  return created;
}

export function text(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  return typeof value === 'string' ? value : undefined;
}

export function requiredText(parameters: Parameters, name: string): string {
  const value = text(parameters, name);
  if (value === undefined || value === '') throw missingParameter(name);
  return value;
}

export function flag(parameters: Parameters, name: string): boolean | undefined {
  const value = text(parameters, name);
  return value === undefined ? undefined : value.toLowerCase() === 'true';
}

export function decimal(parameters: Parameters, name: string): number | undefined {
  const value = text(parameters, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) {
    throw invalidParameter(`Value (${value}) for parameter ${name} is invalid.`);
  }
  return number;
}

export function integer(parameters: Parameters, name: string): number | undefined {
  const value = decimal(parameters, name);
  if (value !== undefined && !Number.isInteger(value)) {
    throw invalidParameter(`Value (${value}) for parameter ${name} is invalid.`);
  }
  return value;
}

/** The structure under a name; empty when it was not given. */
export function child(parameters: Parameters, name: string): Parameters {
  const value = parameters[name];
  return typeof value === 'object' ? value : noParameters;
}

/** Members of a list of structures, in the order of their numbers. */
export function children(parameters: Parameters, name: string): readonly Parameters[] {
  return members(parameters, name).filter((member) => typeof member === 'object');
}

/** Members of a list of plain values, in the order of their numbers. */
export function texts(parameters: Parameters, name: string): readonly string[] {
  return members(parameters, name).filter((member) => typeof member === 'string');
}

function members(parameters: Parameters, name: string): readonly (string | Parameters)[] {
  const list = child(parameters, name);
  return Object.keys(list)
    .filter(isNumber)
    .sort((a, b) => Number(a) - Number(b))
    .flatMap((key) => list[key] ?? []);
}

/** Whether a structure is a list: every one of its names is a number. */
export function isList(parameters: Parameters): boolean {
  const names = Object.keys(parameters);
  return names.length > 0 && names.every(isNumber);
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

/** One structure laid over another: structures merge, values and lists of the upper one win. */
export function overlay(lower: Parameters, upper: Parameters): Parameters {
  const merged: Building = Object.create(null);
  for (const name of Object.keys(lower)) merged[name] = lower[name] as string | Building;
  for (const name of Object.keys(upper)) {
    const above = upper[name];
    const below = lower[name];
    const isMerged =
      typeof above === 'object' && typeof below === 'object' && !isList(above) && !isList(below);
    merged[name] = (isMerged ? overlay(below, above) : above) as string | Building;
  }
  return merged;
}

/** Text that is equal for equal parameters, whatever the order they came in. */
export function fingerprint(parameters: Parameters, ignored: ReadonlySet<string>): string {
  const entries = Object.keys(parameters)
    .filter((name) => !ignored.has(name))
    .sort()
    .map((name) => {
      const value = parameters[name] ?? '';
      return [name, typeof value === 'string' ? value : fingerprint(value, noNames)];
    });
  return JSON.stringify(entries);
}

const noNames: ReadonlySet<string> = new Set();
