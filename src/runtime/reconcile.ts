/**
 * The contract of a loop. A request carries a key and never an event: state is read anew each time.
 *
 * - `onChange`: done until something that the controller watches changes.
 * - `after(ms)`: the same, and once more after that time at the latest.
 * - a throw: the key is retried with growing delays; the error is counted, and logged when it is news.
 *
 * One key is never reconciled twice at the same time.
 */
export type Requeue =
  | { readonly kind: 'on-change' }
  | { readonly kind: 'after'; readonly ms: number };

export const onChange: Requeue = { kind: 'on-change' };

export function after(ms: number): Requeue {
  return { kind: 'after', ms };
}

export type Reconcile = (key: string, signal: AbortSignal) => Promise<Requeue>;
