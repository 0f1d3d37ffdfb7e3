import type { Clock } from '../../../ports/clock.ts';
import { AwsError } from '../wire/aws-error.ts';
import { fingerprint, type Parameters, text } from '../wire/parameters.ts';

interface Remembered<T> {
  readonly fingerprint: string;
  readonly result: T;
  readonly atMs: number;
}

const rememberedMs = 48 * 3_600_000;
const ignored: ReadonlySet<string> = new Set(['ClientToken', 'DryRun', 'Action', 'Version']);

/**
 * Client tokens of one action. The same token with the same parameters gets the first result
 * again; with other parameters it is refused. A request that failed leaves no token behind.
 */
export class ClientTokens<T> {
  readonly #clock: Clock;
  readonly #results = new Map<string, Remembered<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  once(parameters: Parameters, perform: () => T): T {
    const token = text(parameters, 'ClientToken');
    if (token === undefined || token === '') return perform();
    const print = fingerprint(parameters, ignored);
    const known = this.#recall(token);
    if (known === undefined) {
      const result = perform();
      this.#results.set(token, { fingerprint: print, result, atMs: this.#clock.nowMs() });
      return result;
    }
    if (known.fingerprint === print) return known.result;
    throw new AwsError(
      'IdempotentParameterMismatch',
      'Arguments on this idempotent request are inconsistent with arguments used in previous request(s).',
    );
  }

  #recall(token: string): Remembered<T> | undefined {
    const oldestMs = this.#clock.nowMs() - rememberedMs;
    // Entries are in the order of their age, so that the first young one ends the search.
    for (const [key, entry] of this.#results) {
      if (entry.atMs >= oldestMs) break;
      this.#results.delete(key);
    }
    return this.#results.get(token);
  }
}
