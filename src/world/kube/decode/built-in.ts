import { type Mismatch, readShaped } from '../../../api/shape/read-shaped.ts';
import type { Shape } from '../../../api/shape/shape.ts';
import { isList, isMap, type Path, type Value, type ValueMap } from '../../../api/value.ts';
import type { JsonObject } from '../json.ts';
import { canonicalQuantity } from './quantity.ts';

/** What reading a built-in object found: the object as the server holds it, and complaints. */
export interface Decoded {
  readonly value: JsonObject;
  readonly unknown: readonly string[];
  /** The first value of a wrong type, in the words of the real decoder. */
  readonly mismatch: string | undefined;
}

/** Reads an object by its shape: unknown and null fields are dropped, quantities made canonical. */
export function decodeBuiltIn(object: JsonObject, shape: Shape): Decoded {
  const read = readShaped(object as ValueMap, shape, canonicalQuantity);
  const [first] = read.mismatches;
  return {
    value: read.value,
    unknown: read.unknown.map(({ path }) => fieldText(path)),
    mismatch: first === undefined ? undefined : mismatchText(first),
  };
}

/** `spec.containers[0].ports`, keys as they are. */
function fieldText(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}

function mismatchText({ path, owner, wanted, value }: Mismatch): string {
  if (wanted.type === 'leaf' && wanted.leaf === 'quantity') return quantityPattern;
  const actual = isMap(value) ? 'object' : isList(value) ? 'array' : goKind(value);
  const field = `${owner}.${fieldText(path).replaceAll(/\[\d+\]/g, '')}`;
  return `json: cannot unmarshal ${actual} into Go struct field ${field} of type ${goType(wanted)}`;
}

const quantityPattern =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function goKind(value: Value): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' && !Number.isInteger(value)) return `number ${value}`;
  return typeof value;
}

function goType(shape: Shape): string {
  switch (shape.type) {
    case 'object':
      return `v1.${shape.name}`;
    case 'map':
      return `map[string]${goType(shape.values)}`;
    case 'list':
      return `[]${goType(shape.items)}`;
    case 'leaf':
      return goLeaves[shape.leaf] ?? 'string';
    case 'any':
      return 'string';
  }
}

const goLeaves: Readonly<Record<string, string>> = {
  integer: 'int32',
  number: 'float64',
  boolean: 'bool',
  quantity: 'resource.Quantity',
  'int-or-string': 'intstr.IntOrString',
};
