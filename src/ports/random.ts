/** The only source of chance. */
export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number;
}

/** Uniform in 0 … limit - 1. */
export function integerBelow(random: Random, limit: number): number {
  return Math.floor(random.fraction() * limit);
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A name suffix in the letters that Kubernetes uses for generated names. */
export function nameSuffix(random: Random, length = 5): string {
  let suffix = '';
  for (let i = 0; i < length; i++) suffix += alphabet[integerBelow(random, alphabet.length)];
  return suffix;
}

/** A version 4 UUID. */
export function uuid(random: Random): string {
  const hex = hexDigits(random, 32).split('');
  hex[12] = '4';
  hex[16] = '89ab'[integerBelow(random, 4)] ?? '8';
  const text = hex.join('');
  return [
    text.slice(0, 8),
    text.slice(8, 12),
    text.slice(12, 16),
    text.slice(16, 20),
    text.slice(20),
  ].join('-');
}

export function hexDigits(random: Random, length: number): string {
  let digits = '';
  for (let i = 0; i < length; i++) digits += integerBelow(random, 16).toString(16);
  return digits;
}
