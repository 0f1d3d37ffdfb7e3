/**
 * FNV-1 with 64 bits: multiply, then xor. A hash is two halves of 32 bits, so that no byte of a
 * long text costs a BigInt.
 */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

const offset: Hash = { high: 0xcbf29ce4, low: 0x84222325 };
/** The prime is 2^40 + this. */
const primeLow = 0x1b3;
const word = 2 ** 32;

export const zeroHash: Hash = { high: 0, low: 0 };

export function hashBytes(bytes: Iterable<number>): Hash {
  let { high, low } = offset;
  for (const byte of bytes) {
    const product = low * primeLow;
    // 2^40 times the low half lands in the high half, eight bits up.
    high = (high * primeLow + Math.floor(product / word) + ((low << 8) >>> 0)) % word;
    low = ((product % word) ^ byte) >>> 0;
  }
  return { high, low };
}

export function hashText(text: string): Hash {
  return hashBytes(utf8(text));
}

/** A whole number in that many bytes, the lowest first. */
export function hashInteger(value: number, size: 1 | 4 | 8): Hash {
  return hashBytes(littleEndian(BigInt(Math.trunc(value)), size));
}

export function xor(a: Hash, b: Hash): Hash {
  return { high: (a.high ^ b.high) >>> 0, low: (a.low ^ b.low) >>> 0 };
}

/** One hash of two in this order. */
export function inOrder(a: Hash, b: Hash): Hash {
  return hashBytes([...bytesOf(a), ...bytesOf(b)]);
}

/** Mixes a hash that was put together by xor. */
export function finish(hash: Hash): Hash {
  return hashBytes(bytesOf(hash));
}

export function decimal({ high, low }: Hash): string {
  return String((BigInt(high) << 32n) | BigInt(low));
}

function bytesOf({ high, low }: Hash): readonly number[] {
  return [low, high].flatMap((half) => [0, 8, 16, 24].map((shift) => (half >>> shift) & 0xff));
}

function littleEndian(value: bigint, size: number): readonly number[] {
  return Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
}

/** This folder is compiled without a TextEncoder. A lone surrogate becomes U+FFFD. */
function* utf8(text: string): Iterable<number> {
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    if (code < 0x80) yield code;
    else yield* manyBytes(code);
  }
}

function manyBytes(code: number): readonly number[] {
  const tail = (shift: number): number => 0x80 | ((code >>> shift) & 0x3f);
  if (code < 0x800) return [0xc0 | (code >>> 6), tail(0)];
  if (code < 0x10000) return [0xe0 | (code >>> 12), tail(6), tail(0)];
  return [0xf0 | (code >>> 18), tail(12), tail(6), tail(0)];
}
