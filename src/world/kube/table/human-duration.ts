const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** A length of time in two or three digits, as kubectl shows ages: `45s`, `2m30s`, `3d4h`. */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / secondMs);
  // One second of clock difference between two machines is forgiven.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(durationMs / minuteMs);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  return longDuration(Math.floor(durationMs / hourMs), minutes);
}

/** How long ago a timestamp was; `<unknown>` without one. */
export function age(timestamp: string, nowMs: number): string {
  if (timestamp === '') return '<unknown>';
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? '<invalid>' : humanDuration(nowMs - ms);
}

function longDuration(hours: number, minutes: number): string {
  const days = Math.floor(hours / 24);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (days < 8) return pair(days, 'd', hours % 24, 'h');
  if (days < 2 * 365) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
