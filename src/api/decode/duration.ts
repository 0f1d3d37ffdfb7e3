const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

const whole = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;
const part = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;

/**
 * Milliseconds of `720h`, `1h30m` or `90s`; Infinity for `Never`; undefined for anything else.
 * Negative durations are not durations of ours and are undefined too.
 */
export function parseDuration(text: string): number | undefined {
  if (text === 'Never') return Infinity;
  if (text === '0') return 0;
  if (!whole.test(text)) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(part))
    totalMs += Number(amount) * (unitMs[unit ?? ''] ?? 0);
  return totalMs;
}

/** Milliseconds since 1970 of an RFC 3339 time; undefined where absent or unreadable. */
export function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
