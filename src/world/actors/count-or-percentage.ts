/** A count, or a percentage of `total` rounded `up` or `down`: `3`, `"25%"`. */
export function countOf(value: string | number, total: number, rounding: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const match = /^(\d+)%$/.exec(value.trim());
  if (match === null) return Number(value);
  // Percent times total stays an exact integer, so that 7% of 100 is 7 and not 7.000000000000001.
  const hundredths = Number(match[1]) * total;
  return rounding === 'up' ? Math.ceil(hundredths / 100) : Math.floor(hundredths / 100);
}
