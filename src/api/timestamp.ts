/** `2026-11-16T09:30:00Z`, as Kubernetes writes timestamps: whole seconds. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `2026-11-16T09:30:00.000000Z`, as leases are stamped; the server accepts no other form there. */
export function microTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`;
}
