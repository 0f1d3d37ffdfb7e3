import type { Clock } from '../ports/clock.ts';
import type { Log, LogFields } from '../ports/log.ts';

interface Told {
  readonly words: string;
  readonly atMs: number;
  /** How often in a row, whatever the words. */
  readonly failures: number;
  readonly heldBack: number;
}

/** Long enough that many failing keys drown nothing, short enough that a look at the log shows them. */
const reminderMs = 300_000;

/**
 * Logs what fails again and again: at once when it begins or its words change, then every five
 * minutes with the count so far, and once more when it works again after a silence. What is held
 * back is there for those who log at debug.
 */
export class FailureLog {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #told = new Map<string, Told>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  failed(key: string, message: string, fields: LogFields & { readonly error: unknown }): void {
    const words = wordsOf(fields.error);
    const nowMs = this.#clock.nowMs();
    const before = this.#told.get(key);
    const failures = (before?.failures ?? 0) + 1;
    if (before?.words === words && nowMs - before.atMs < reminderMs) {
      this.#told.set(key, { ...before, failures, heldBack: before.heldBack + 1 });
      this.#log.debug(message, fields);
      return;
    }
    this.#told.set(key, { words, atMs: nowMs, failures, heldBack: 0 });
    this.#log.error(message, failures === 1 ? fields : { ...fields, failures });
  }

  /** Forgets the failures of the key. Whoever read of them and no more must not believe in them. */
  succeeded(key: string, message: string, fields: LogFields = {}): void {
    const before = this.#told.get(key);
    if (before === undefined) return;
    this.#told.delete(key);
    if (before.heldBack > 0) this.#log.info(message, { ...fields, failures: before.failures });
  }
}

/** Without ids, counts and times: they change while the failure is still the same. */
function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .split(/\s+/)
    .filter((word) => !/\d/.test(word))
    .join(' ');
}
