import { setMaxListeners } from 'node:events';

/**
 * Says that many will wait for this signal at once, all the loops and sleeps of a controller.
 * Node takes more than ten listeners for a leak and prints a warning.
 */
export function expectManyListeners(signal: AbortSignal): void {
  setMaxListeners(0, signal);
}
