import type { Log, LogFields } from '../../src/ports/log.ts';

/** A log that keeps the errors of whoever is still alive; the dead have nothing to say. */
export function collectedLog(who: string, isAlive: () => boolean, errors: string[]): Log {
  const at = (fields: LogFields): Log => ({
    debug: () => {},
    info: () => {},
    error: (message, more) => {
      if (!isAlive()) return;
      const all = Object.entries({ ...fields, ...more });
      errors.push([`${who}: ${message}`, ...all.map(([k, v]) => `${k}=${textOf(v)}`)].join(' '));
    },
    with: (more) => at({ ...fields, ...more }),
  });
  return at({});
}

function textOf(value: unknown): string {
  if (value instanceof Error) return value.stack ?? value.message;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
