/**
 * Compares two resource versions: negative when `a` is older. Versions are decimal numbers that
 * may outgrow a double, so the longer text is the newer and equal lengths compare by digit.
 */
export function compareVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The newer of two versions. */
export function newerVersion(a: string, b: string): string {
  return compareVersions(a, b) >= 0 ? a : b;
}
