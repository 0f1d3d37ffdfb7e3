import type { Clock } from '../ports/clock.ts';
import type { Log, LogFields } from '../ports/log.ts';

interface Told {
  /** By what was said: when. */
  readonly atMs: Map<string, number>;
  /** How often in a row, whatever the words. */
  readonly failures: number;
  readonly heldBack: number;
}

/** Long enough that many failing keys drown nothing, short enough that a look at the log shows them. */
const reminderMs = 300_000;

/**
 * Logs what fails again and again: at once when it begins or fails in another way, then every five
 * minutes with the count so far, and once more when it works again after a silence. Ways that take
 * turns are each told so. What is held back is there for those who log at debug.
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
    const atMs = before?.atMs ?? new Map<string, number>();
    for (const [other, toldMs] of atMs) if (nowMs - toldMs >= reminderMs) atMs.delete(other);
    if (atMs.has(words)) {
      this.#told.set(key, { atMs, failures, heldBack: (before?.heldBack ?? 0) + 1 });
      this.#log.debug(message, fields);
      return;
    }
    atMs.set(words, nowMs);
    this.#told.set(key, { atMs, failures, heldBack: 0 });
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

/** Codes, and the words without ids, counts and times: they change while the failure is the same. */
function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const words = text.split(/\s+/).filter((word, index, all) => {
    if (!/\d/.test(word)) return true;
    return isErrorCode(word) || isStatus(word, all[index - 1] ?? '');
  });
  return [...codesOf(error), ...words].join(' ');
}

/** `ERR_HTTP2_STREAM_ERROR`: an id has no such parts. */
function isErrorCode(word: string): boolean {
  return /^\W*[A-Z]+(_[A-Z0-9]+)+\W*$/.test(word);
}

/** Three digits alone may be a count; it is the word before that makes them a status. */
function isStatus(word: string, before: string): boolean {
  return /^\W*[1-5]\d\d\W*$/.test(word) && /(answered|code|status|http\/[\d.]+)\W*$/i.test(before);
}

/** Causes beyond these say nothing new. */
const mostCauses = 4;

/** What typed errors say of themselves, and those that caused them. */
function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  let next = error;
  for (let depth = 0; depth < mostCauses && typeof next === 'object' && next !== null; depth++) {
    const { kind, status, code, cause } = next as Readonly<Record<string, unknown>>;
    for (const value of [kind, status, code])
      if (typeof value === 'string' || typeof value === 'number') codes.push(String(value));
    next = cause;
  }
  return codes;
}
