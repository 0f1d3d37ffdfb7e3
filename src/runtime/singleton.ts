import { type ControllerOptions, runController } from './controller.ts';
import type { Requeue } from './reconcile.ts';

interface SingletonOptions extends Omit<ControllerOptions, 'reconcile' | 'concurrency'> {
  readonly reconcile: (signal: AbortSignal) => Promise<Requeue>;
}

export interface SingletonHandle {
  /** Asks for another round as soon as the present one is over. Many asks in a row are one. */
  trigger(): void;
  triggerAfter(ms: number): void;
  isIdle(): boolean;
  readonly done: Promise<void>;
}

/** A loop without a key. The first round starts at once; it is never run twice at the same time. */
export function runSingleton(options: SingletonOptions, signal: AbortSignal): SingletonHandle {
  const key = options.name;
  const reconcile = (_: string, inner: AbortSignal): Promise<Requeue> => options.reconcile(inner);
  const controller = runController({ ...options, concurrency: 1, reconcile }, signal);
  controller.enqueue(key);
  return {
    trigger: () => controller.enqueue(key),
    triggerAfter: (ms) => controller.enqueueAfter(key, ms),
    isIdle: controller.isIdle,
    done: controller.done,
  };
}
