import { Buffer } from 'node:buffer';
import { builtInShapes } from '../../../api/shape/built-in.ts';
import type {
  ListShape,
  MapShape,
  ObjectShape,
  Shape,
  WireField,
  WireTable,
} from '../../../api/shape/shape.ts';
import { timestamp } from '../../../api/timestamp.ts';
import type { Json, JsonObject } from '../json.ts';
import { badRequest } from '../status/status.ts';
import { readFields, signed, type WireValue } from './wire.ts';

const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/**
 * Reads a body in the Protocol Buffers form that generated clients prefer: an envelope that
 * names the type, then the object. Answers with the same value as the JSON form would give.
 */
export function decodeProtobuf(body: Uint8Array): JsonObject {
  const bytes = Buffer.from(body);
  if (!bytes.subarray(0, 4).equals(magic)) {
    throw badRequest(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  const envelope = readFields(bytes.subarray(4));
  const type = readFields(bytesOf(envelope.find(({ number }) => number === 1)));
  const apiVersion = textOf(type.find(({ number }) => number === 1));
  const kind = textOf(type.find(({ number }) => number === 2));
  const shape = builtInShapes.get(shapeName(apiVersion, kind));
  if (shape?.type !== 'object' || shape.wire.size === 0) {
    throw badRequest(`no kind "${kind}" is registered for version "${apiVersion}" in protobuf`);
  }
  const raw = bytesOf(envelope.find(({ number }) => number === 2));
  return { apiVersion, kind, ...readObject(raw, shape) };
}

function shapeName(apiVersion: string, kind: string): string {
  if (apiVersion === 'events.k8s.io/v1') return `New${kind}`;
  return kind === 'TokenRequest' ? 'TokenRequestReview' : kind;
}

function bytesOf(value: WireValue | undefined): Buffer {
  return Buffer.isBuffer(value?.value) ? value.value : Buffer.alloc(0);
}

function textOf(value: WireValue | undefined): string {
  return bytesOf(value).toString('utf8');
}

type Draft = Record<string, Json | undefined>;

function readObject(bytes: Buffer, shape: ObjectShape): JsonObject {
  const result: Draft = {};
  fill(result, bytes, { shape, table: shape.wire });
  return result;
}

interface Message {
  readonly shape: ObjectShape;
  readonly table: WireTable;
}

function fill(result: Draft, bytes: Buffer, { shape, table }: Message): void {
  for (const value of readFields(bytes)) {
    const field = table.get(value.number);
    if (field === undefined) continue;
    if (field instanceof Map) fill(result, bytesOf(value), { shape, table: field });
    else addField(result, value, { shape, field: field as WireField });
  }
}

function addField(
  result: Draft,
  value: WireValue,
  { shape, field }: { readonly shape: ObjectShape; readonly field: WireField },
): void {
  const { name, isPointer } = field;
  const type = shape.field(name);
  if (type === undefined) return;
  if (type.type === 'list')
    result[name] = [...((result[name] ?? []) as Json[]), ...items(value, type)];
  else if (type.type === 'map')
    result[name] = { ...(result[name] as JsonObject), ...entry(value, type) };
  else {
    const read = readValue(value, type);
    if (isPointer || !isZero(read)) result[name] = read;
  }
}

function isZero(value: Json): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Numbers may come packed into one value. */
function items(value: WireValue, shape: ListShape): readonly Json[] {
  const isPacked =
    Buffer.isBuffer(value.value) && shape.items.type === 'leaf' && shape.items.leaf === 'integer';
  if (!isPacked) return [readValue(value, shape.items)];
  return readFields(bytesOf(value), 'packed').map((one) => readValue(one, shape.items));
}

function entry(value: WireValue, shape: MapShape): JsonObject {
  const fields = readFields(bytesOf(value));
  const key = textOf(fields.find(({ number }) => number === 1));
  const found = fields.find(({ number }) => number === 2);
  const nothing: WireValue = { number: 2, value: Buffer.alloc(0) };
  return { [key]: readValue(found ?? nothing, shape.values) };
}

function readValue(value: WireValue, shape: Shape): Json {
  const bytes = bytesOf(value);
  switch (shape.type) {
    case 'object':
      return readObject(bytes, shape);
    case 'any':
      return rawJson(bytes);
    case 'list':
      return readFields(bytes).flatMap((one) => items(one, shape));
    case 'map':
      return entry(value, shape);
    case 'leaf':
      return readLeaf(value, shape.leaf);
  }
}

function readLeaf(value: WireValue, leaf: string): Json {
  switch (leaf) {
    case 'integer':
    case 'number':
      return typeof value.value === 'bigint' ? signed(value.value) : 0;
    case 'boolean':
      return typeof value.value === 'bigint' && value.value !== 0n;
    case 'quantity':
      return textOf(readFields(bytesOf(value)).find(({ number }) => number === 1));
    case 'int-or-string':
      return intOrString(bytesOf(value));
    case 'time':
    case 'micro-time':
      return timeText(bytesOf(value), leaf);
    case 'bytes':
      return bytesOf(value).toString('base64');
    default:
      return textOf(value);
  }
}

function intOrString(bytes: Buffer): Json {
  const fields = readFields(bytes);
  const numberOf = (wanted: number): number => {
    const value = fields.find(({ number }) => number === wanted)?.value;
    return typeof value === 'bigint' ? signed(value) : 0;
  };
  return numberOf(1) === 1 ? textOf(fields.find(({ number }) => number === 3)) : numberOf(2);
}

/** An empty message is the zero time, which JSON writes as null. */
function timeText(bytes: Buffer, leaf: string): Json {
  const fields = readFields(bytes);
  const seconds = fields.find(({ number }) => number === 1)?.value;
  if (typeof seconds !== 'bigint') return null;
  const whole = timestamp(signed(seconds) * 1000);
  if (leaf === 'time') return whole;
  const nanos = fields.find(({ number }) => number === 2)?.value;
  const micros = typeof nanos === 'bigint' ? Math.floor(signed(nanos) / 1000) : 0;
  return `${whole.slice(0, -1)}.${String(micros).padStart(6, '0')}Z`;
}

/** An embedded object travels as its JSON text. */
function rawJson(bytes: Buffer): Json {
  const text = textOf(readFields(bytes).find(({ number }) => number === 1));
  return text === '' ? null : (JSON.parse(text) as Json);
}
