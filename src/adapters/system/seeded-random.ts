import type { Random } from '../../ports/random.ts';

/** Chance that a seed decides: the same seed draws the same numbers, here and everywhere. */
interface SeededRandom extends Random {
  /** Where the stream comes from: the seed and the names of the forks, `7/cloud/spot`. */
  readonly origin: string;
}

export function createSeededRandom(seed: number): SeededRandom {
  return streamFrom(String(seed));
}

/**
 * A stream of its own for the named component. It depends on the seed and the names alone, never
 * on what has been drawn, so that one more draw in one component shifts no other. Chance that
 * has no seed is handed back as it is.
 */
export function fork(source: Random | number, name: string): Random {
  if (typeof source === 'number') return streamFrom(`${source}/${name}`);
  return isSeeded(source) ? streamFrom(`${source.origin}/${name}`) : source;
}

function isSeeded(random: Random): random is SeededRandom {
  return 'origin' in random;
}

/** The sfc32 generator: small, fast, and passes the usual batteries of tests. */
function streamFrom(origin: string): SeededRandom {
  let a = hash(origin, 0x9e3779b9);
  let b = hash(origin, 0x243f6a88);
  let c = hash(origin, 0xb7e15162);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  // The first numbers still show the seed; later ones do not.
  for (let i = 0; i < 15; i++) next();
  return { origin, fraction: () => next() / 2 ** 32 };
}

/** FNV-1a with a final mix, so that origins that differ in one letter share no bits. */
function hash(text: string, basis: number): number {
  let h = basis | 0;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
