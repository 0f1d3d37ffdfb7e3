import type { Clock } from '../../ports/clock.ts';
import type { Log, LogFields } from '../../ports/log.ts';

export type LogLevel = 'debug' | 'info' | 'error';

interface JsonLogOptions {
  readonly clock: Clock;
  /** Takes one line, its newline included. */
  readonly write: (line: string) => void;
  /** The least that is written. */
  readonly level: LogLevel;
}

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, error: 2 };
const reserved = new Set(['level', 'time', 'logger', 'message']);

/**
 * One JSON object a line: level, time, logger, message, then the fields. An error in a field
 * becomes its message, with kind and stack beside it (`errorKind`, `errorStack`). Never throws.
 */
export function createJsonLog(options: JsonLogOptions): Log {
  return logWith(options, {});
}

function logWith(options: JsonLogOptions, context: LogFields): Log {
  const { clock, write, level: least } = options;
  const line = (level: LogLevel, message: string, fields: LogFields = {}): void => {
    if (ranks[level] < ranks[least]) return;
    const record: Record<string, unknown> = {
      level: level.toUpperCase(),
      time: new Date(clock.nowMs()).toISOString(),
      logger: 'controller',
      message,
    };
    for (const [name, value] of Object.entries({ ...context, ...fields })) {
      // A field must not pass for the message; it keeps its text under a name that shows it.
      addField(record, reserved.has(name) ? `field.${name}` : name, value);
    }
    write(`${stringify(record)}\n`);
  };
  return {
    debug: (message, fields) => line('debug', message, fields),
    info: (message, fields) => line('info', message, fields),
    error: (message, fields) => line('error', message, fields),
    with: (fields) => logWith(options, { ...context, ...fields }),
  };
}

function addField(record: Record<string, unknown>, name: string, value: unknown): void {
  if (!(value instanceof Error)) {
    record[name] = value;
    return;
  }
  record[name] = messageOf(value);
  if ('kind' in value) record[`${name}Kind`] = value.kind;
  record[`${name}Stack`] = value.stack;
}

/** The error's own words and those of what caused it, unless it has said them already. */
function messageOf(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const below = messageOf(cause);
  return error.message.includes(below) ? error.message : `${error.message}: ${below}`;
}

function stringify(record: object): string {
  try {
    return JSON.stringify(record, plain);
  } catch {
    return JSON.stringify(record, withoutCycles());
  }
}

/** What JSON has no form for. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Error) return messageOf(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return value;
}

function withoutCycles(): (name: string, value: unknown) => unknown {
  const seen = new WeakSet<object>();
  return (name, value) => {
    if (typeof value === 'object' && value !== null) {
      if (seen.has(value)) return '[seen above]';
      seen.add(value);
    }
    return plain(name, value);
  };
}
