import type { KubeObject, Resource } from '../../api/resource.ts';
import type { Clock } from '../../ports/clock.ts';
import { isKubeError, type KubeClient } from '../../ports/kube.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import { type ControllerHandle, runController } from '../../runtime/controller.ts';
import { createInformer, type Informer } from '../../runtime/informer.ts';
import { after, type Reconcile } from '../../runtime/reconcile.ts';
import { EventLog } from './event-log.ts';

export interface ActorPorts {
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/**
 * Where the actors meet: one informer per kind, shared by all, so that every pod is watched and
 * decoded once. Actors register listeners and indexes first; `open` then starts everything.
 */
export class Stage {
  readonly ports: ActorPorts;
  readonly signal: AbortSignal;
  readonly events: EventLog;
  readonly #informers = new Map<string, Informer<KubeObject>>();
  readonly #opened: Promise<void>;
  #announce = (): void => {};
  #isOpen = false;

  constructor(ports: ActorPorts, signal: AbortSignal) {
    this.ports = ports;
    this.signal = signal;
    this.events = new EventLog(ports);
    this.#opened = new Promise((resolve) => {
      this.#announce = resolve;
    });
  }

  /** The one informer of the kind. Asked for after `open`, it starts at once. */
  informer<T extends KubeObject>(resource: Resource<T>): Informer<T> {
    const id = `${resource.group}/${resource.version}/${resource.plural}`;
    const known = this.#informers.get(id);
    // The map's key determines the type parameter, which a Map cannot express.
    if (known !== undefined) return known as unknown as Informer<T>;
    const { kube, clock, random, log } = this.ports;
    const created = createInformer({ client: kube, resource, clock, random, log });
    this.#informers.set(id, created as unknown as Informer<KubeObject>);
    if (this.#isOpen) created.start(this.signal);
    return created;
  }

  /** Starts the informers; once all have their first list, the actors begin to act. */
  open(): void {
    this.#isOpen = true;
    const all = [...this.#informers.values()];
    for (const informer of all) informer.start(this.signal);
    void Promise.all(all.map((informer) => informer.synced)).then(this.#announce);
  }

  /** Runs a loop over keys that holds still until the stage is open and every copy is complete. */
  loop(name: string, reconcile: Reconcile, concurrency = 10): ControllerHandle {
    const { clock, log } = this.ports;
    const gated: Reconcile = async (key, signal) => {
      await this.#opened;
      try {
        return await reconcile(key, signal);
      } catch (error) {
        const delayMs = calmRetryMs(error);
        if (delayMs === undefined) throw error;
        log.debug('looking again after a refusal', { actor: name, key, error });
        return after(delayMs);
      }
    };
    const maxBackoffMs = 10_000;
    return runController(
      { name, clock, log, concurrency, reconcile: gated, maxBackoffMs },
      this.signal,
    );
  }
}

/** Refusals that are part of everyday life and pass by looking again with newer eyes. */
function calmRetryMs(error: unknown): number | undefined {
  // Somebody else was quicker, or our copy is behind.
  if (isKubeError(error, 'conflict', 'not-found', 'already-exists')) return 100;
  // A namespace on its way out takes nothing new.
  if (isKubeError(error, 'forbidden')) return 5_000;
  return undefined;
}
