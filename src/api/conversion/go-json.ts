import { compareText } from '../../core/text-order.ts';
import { isPlain } from './plain.ts';

/** The value as Go writes it: keys of maps in order, and no character that HTML gives a meaning. */
export function goJson(value: unknown): string {
  const escapes: Readonly<Record<string, string>> = {
    '<': '\\u003c',
    '>': '\\u003e',
    '&': '\\u0026',
    '\u2028': '\\u2028',
    '\u2029': '\\u2029',
  };
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (one) => escapes[one] ?? one);
}

/** A map with its keys in order. */
export function sortedMap(value: unknown): unknown {
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)));
}

/** A duration as Go writes it: `1h30m0s`, `1.5s`, `250ms`. */
export function goDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 1_000) return ms >= 1 ? `${trimmed(ms)}ms` : subMillisecond(ms);
  const seconds = ms / 1_000;
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const rest = `${trimmed((ms % 60_000) / 1_000)}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

function subMillisecond(ms: number): string {
  const nanoseconds = Math.round(ms * 1e6);
  return nanoseconds < 1_000 ? `${nanoseconds}ns` : `${trimmed(nanoseconds / 1_000)}µs`;
}

function trimmed(value: number): string {
  return String(Number(value.toFixed(9)));
}
