import type { Buffer } from 'node:buffer';
import { badRequest } from '../status/status.ts';

/** One value as it stands in a message: a varint, or the bytes of text or of a message. */
export interface WireValue {
  readonly number: number;
  readonly value: bigint | Buffer;
}

/** Every field of a message in order; `packed` reads bare varints, as lists of numbers come. */
export function readFields(
  bytes: Buffer,
  form: 'message' | 'packed' = 'message',
): readonly WireValue[] {
  const reader = { bytes, at: 0 };
  const fields: WireValue[] = [];
  while (reader.at < bytes.length) {
    if (form === 'packed') fields.push({ number: 0, value: readVarint(reader) });
    else fields.push(readField(reader));
  }
  return fields;
}

interface Reader {
  readonly bytes: Buffer;
  at: number;
}

function readField(reader: Reader): WireValue {
  const tag = Number(readVarint(reader));
  const number = tag >>> 3;
  switch (tag & 7) {
    case 0:
      return { number, value: readVarint(reader) };
    case 1:
      return { number, value: take(reader, 8) };
    case 2:
      return { number, value: take(reader, Number(readVarint(reader))) };
    case 5:
      return { number, value: take(reader, 4) };
    default:
      throw badRequest(`proto: illegal wireType ${tag & 7}`);
  }
}

function take(reader: Reader, length: number): Buffer {
  const end = reader.at + length;
  if (end > reader.bytes.length) throw badRequest('unexpected EOF');
  const part = reader.bytes.subarray(reader.at, end);
  reader.at = end;
  return part;
}

function readVarint(reader: Reader): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reader.bytes[reader.at++];
    if (byte === undefined) throw badRequest('unexpected EOF');
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw badRequest('proto: integer overflow');
}

/** A varint as the signed number it stands for. */
export function signed(value: bigint): number {
  return Number(BigInt.asIntN(64, value));
}
