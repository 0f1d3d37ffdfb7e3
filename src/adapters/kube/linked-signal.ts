/** A controller that is aborted with the signal, until it is unlinked. */
export interface Linked {
  readonly controller: AbortController;
  unlink(): void;
}

/** By hand, since every `AbortSignal.any` leaves a trace in a signal that lives for long. */
export function linkedTo(signal: AbortSignal | undefined): Linked {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return { controller, unlink: () => signal?.removeEventListener('abort', abort) };
}
