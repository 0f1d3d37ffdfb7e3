/** Numbers as people read them. */

export function usdPerHour(value: number): string {
  return `$${value.toFixed(value < 1 ? 4 : 2)}/h`;
}

export function usdPerMonth(value: number): string {
  return `$${Math.round(value).toLocaleString('en-US')}`;
}

export function cores(millis: number): string {
  return (millis / 1000).toFixed(millis % 1000 === 0 ? 0 : 1);
}

export function gibibytes(bytes: number): string {
  const size = bytes / 2 ** 30;
  return size >= 100 ? size.toFixed(0) : size.toFixed(1);
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}

/** Time of day, to the second, in the reader's own zone. */
export function clockTime(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB');
}
