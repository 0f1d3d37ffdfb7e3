import { setMaxListeners } from 'node:events';

/** A way to stop everything at once. Whole systems hang on one signal, so Node's leak warning is off. */
export function stopSwitch(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => {
        process.once(name, () => process.exit(130));
        resolve(name);
      });
    }
  });
}
