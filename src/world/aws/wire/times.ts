/** `2026-11-16T09:30:00.000Z`, as EC2 writes moments. */
export function isoMillis(ms: number): string {
  return new Date(ms).toISOString();
}

/** `2026-11-16T09:30:00Z`, as IAM, STS and EventBridge write moments. */
export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Seconds since 1970, as the JSON protocols write moments. */
export function epochSeconds(ms: number): number {
  return Math.round(ms) / 1000;
}
