import { type KubeObject, keyOf } from '../api/resource.ts';
import { type ControllerHandle, runController } from '../runtime/controller.ts';
import type { Informer } from '../runtime/informer.ts';
import type { Reconcile, Requeue } from '../runtime/reconcile.ts';
import { runSingleton, type SingletonHandle } from '../runtime/singleton.ts';
import type { Context } from './context.ts';
import { withFreshCopies } from './writes.ts';

export interface KeyedLoop {
  readonly name: string;
  readonly reconcile: Reconcile;
  readonly concurrency?: number | undefined;
  readonly minBackoffMs?: number | undefined;
  readonly maxBackoffMs?: number | undefined;
}

/** Runs a loop over keys; stale copies are tried again without a fuss. */
export function runKeyed(context: Context, loop: KeyedLoop, signal: AbortSignal): ControllerHandle {
  const { clock, log, metrics } = context.ports;
  return runController(
    { ...loop, clock, log, metrics, reconcile: withFreshCopies(loop.reconcile) },
    signal,
  );
}

/** Runs a loop without a key, with the same patience. */
export function runAlone(
  context: Context,
  name: string,
  round: (signal: AbortSignal) => Promise<Requeue>,
  signal: AbortSignal,
): SingletonHandle {
  const { clock, log, metrics } = context.ports;
  const patient = withFreshCopies((_, inner) => round(inner));
  return runSingleton(
    { name, clock, log, metrics, reconcile: (inner) => patient(name, inner) },
    signal,
  );
}

/** Hands over every object that is there and every one that changes later, until the signal. */
export function follow<T extends KubeObject>(
  informer: Informer<T>,
  signal: AbortSignal,
  handle: (object: T) => void,
): void {
  for (const object of informer.list()) handle(object);
  const stop = informer.onChange(({ object }) => handle(object));
  signal.addEventListener('abort', stop, { once: true });
}

/** Every object of the kind is a key of the loop. */
export function followKeys<T extends KubeObject>(
  informer: Informer<T>,
  signal: AbortSignal,
  loop: ControllerHandle,
): void {
  follow(informer, signal, (object) => loop.enqueue(keyOf(object)));
}
