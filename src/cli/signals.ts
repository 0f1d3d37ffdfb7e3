import { setMaxListeners } from 'node:events';
import { constants } from 'node:os';

/** A way to stop everything at once. Whole systems hang on one signal, so Node's leak warning is off. */
export function stopSwitch(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves at the first Ctrl-C, SIGTERM or closed terminal, and when a parent that holds a channel
 * to us is gone. A second signal ends the process at once.
 */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of endings) {
      process.once(name, () => {
        process.once(name, () => process.exit(exitCodeOf(name)));
        resolve(name);
      });
    }
    process.once('disconnect', () => resolve('SIGTERM'));
    // Listening to the parent must not keep us alive when our own work is done.
    process.channel?.unref();
  });
}

/** What shells expect of a program that a signal has ended. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
