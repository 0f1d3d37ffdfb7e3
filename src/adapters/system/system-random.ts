import { randomBytes } from 'node:crypto';
import type { Random } from '../../ports/random.ts';

const poolBytes = 4_096;
const wordBytes = 8;

/** Chance from the operating system: unpredictable, good enough for identities and tokens. */
export function createSystemRandom(): Random {
  let pool = Buffer.alloc(0);
  let offset = 0;
  return {
    fraction: () => {
      if (offset + wordBytes > pool.length) {
        pool = randomBytes(poolBytes);
        offset = 0;
      }
      const word = pool.readBigUInt64LE(offset);
      offset += wordBytes;
      return Number(word >> 11n) / 2 ** 53;
    },
  };
}
