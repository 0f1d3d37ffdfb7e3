import { InvalidArgumentError } from 'commander';
import { parse } from 'yaml';
import type { DefaultSpread } from '../api/decode/default-spread.ts';
import { qualifiedNamePattern } from '../api/schema/patterns.ts';

type Fields = Readonly<Record<string, unknown>>;

const qualifiedName = new RegExp(qualifiedNamePattern);

/**
 * The spread that the kube-scheduler gives to pods without one, from the part of its own
 * configuration that says so, as YAML or JSON. Strict, since a word that is passed over here would
 * let nodes be bought that the scheduler does not use.
 */
export function schedulerConfig(text: string): readonly DefaultSpread[] {
  if (text.trim() === '') return [];
  const value = read(text);
  if (typeof value === 'string')
    throw wrong('give the YAML itself, not the name of a file: --scheduler-config "$(cat FILE)"');
  const { podTopologySpread } = fieldsOf(value, 'it', ['podTopologySpread']);
  if (podTopologySpread === undefined) return [];
  const where = 'podTopologySpread';
  const { defaultConstraints = [] } = fieldsOf(podTopologySpread, where, ['defaultConstraints']);
  if (!Array.isArray(defaultConstraints)) throw wrong(`${where}.defaultConstraints is not a list`);
  const constraints = defaultConstraints.map((one, index) =>
    constraintOf(one, `${where}.defaultConstraints[${index}]`),
  );
  refuseTwins(constraints);
  return constraints;
}

function read(text: string): unknown {
  try {
    return parse(text, { strict: true, uniqueKeys: true });
  } catch (error) {
    throw wrong(`it is not YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function constraintOf(value: unknown, where: string): DefaultSpread {
  const known = ['maxSkew', 'topologyKey', 'whenUnsatisfiable'];
  const { maxSkew, topologyKey, whenUnsatisfiable } = fieldsOf(value, where, known);
  if (typeof maxSkew !== 'number' || !Number.isInteger(maxSkew) || maxSkew <= 0)
    throw wrong(`${where}.maxSkew must be a whole number above 0`);
  if (typeof topologyKey !== 'string' || !qualifiedName.test(topologyKey))
    throw wrong(`${where}.topologyKey must be the name of a label`);
  if (whenUnsatisfiable !== 'DoNotSchedule' && whenUnsatisfiable !== 'ScheduleAnyway')
    throw wrong(`${where}.whenUnsatisfiable must be DoNotSchedule or ScheduleAnyway`);
  return { maxSkew, topologyKey, whenUnsatisfiable };
}

/** The fields of the value, which may have these and no others. */
function fieldsOf(value: unknown, where: string, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(`${where} must have the field ${known[0]}`);
  const strange = Object.keys(value).find((key) => !known.includes(key));
  if (strange !== undefined)
    throw wrong(`${where} may not have the field ${strange}; it may have ${known.join(', ')}`);
  return value as Fields;
}

function refuseTwins(constraints: readonly DefaultSpread[]): void {
  const seen = new Set<string>();
  for (const { topologyKey, whenUnsatisfiable } of constraints) {
    const name = `${topologyKey} ${whenUnsatisfiable}`;
    if (seen.has(name)) throw wrong(`podTopologySpread.defaultConstraints has ${name} twice`);
    seen.add(name);
  }
}

function wrong(what: string): InvalidArgumentError {
  return new InvalidArgumentError(`${what}.`);
}
