import type { KubeObject } from '../api/resource.ts';
import type { Log } from '../ports/log.ts';
import type { Informer } from './informer.ts';
import { type LeaderElectionOptions, runLeaderElection } from './leader-election.ts';
import { untilAborted } from './until-aborted.ts';

/** Something that works until its signal is aborted: `runController`, `runSingleton`, or alike. */
type StartLoop = (signal: AbortSignal) => { readonly done: Promise<void> };

interface ManagerOptions {
  readonly log: Log;
  /** Without it the loops run at once, for a single replica. */
  readonly election?: Omit<LeaderElectionOptions, 'lead' | 'log'> | undefined;
}

/** Starts and stops the parts of a controller in the right order. */
export interface Manager {
  /** Its objects are kept up to date from the start, leading or not, so that a successor is warm. */
  addInformer<T extends KubeObject>(informer: Informer<T>): Informer<T>;
  /** Runs while leading, with all informers in sync. Started anew at every election. */
  addLoop(name: string, start: StartLoop): void;
  /** Done to its end after every election, before the loops start. */
  addPreparation(prepare: () => Promise<void>): void;
  /** Whether every informer has listed its objects. */
  isSynced(): boolean;
  isLeading(): boolean;
  /**
   * Runs until the signal is aborted: first the loops end, then the lease is released, last the
   * informers stop. Rejects if a loop ends with an error, after the same order.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** The part of an informer that does not depend on what it holds. */
type AnyInformer = Pick<Informer<KubeObject>, 'start' | 'synced' | 'isSynced'>;

export function createManager(options: ManagerOptions): Manager {
  const { log, election } = options;
  const informers: AnyInformer[] = [];
  const loops = new Map<string, StartLoop>();
  const preparations: (() => Promise<void>)[] = [];
  let isLeading = false;

  async function lead(signal: AbortSignal): Promise<void> {
    isLeading = true;
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const running: Promise<void>[] = [];
    try {
      await prepareAll(preparations);
      if (signal.aborted) return;
      for (const [name, start] of loops) running.push(watchLoop(name, start(either)));
      log.info('loops started', { loops: loops.size });
      await Promise.all([...running, untilAborted(signal)]);
    } finally {
      // One that failed takes the others with it: half a controller is worse than none.
      stop.abort();
      await Promise.allSettled(running);
      isLeading = false;
    }
  }

  return {
    addInformer: (informer) => {
      informers.push(informer);
      return informer;
    },
    addLoop: (name, start) => {
      loops.set(name, start);
    },
    addPreparation: (prepare) => {
      preparations.push(prepare);
    },
    isSynced: () => informers.every((informer) => informer.isSynced()),
    isLeading: () => isLeading,
    run: async (signal) => {
      const watching = new AbortController();
      try {
        for (const informer of informers) informer.start(watching.signal);
        await Promise.race([
          Promise.all(informers.map((informer) => informer.synced)),
          untilAborted(signal),
        ]);
        if (signal.aborted) return;
        log.info('informers in sync', { informers: informers.length });
        if (election === undefined) await lead(signal);
        else await runLeaderElection({ ...election, log, lead }, signal);
      } finally {
        watching.abort();
      }
    },
  };
}

async function prepareAll(preparations: readonly (() => Promise<void>)[]): Promise<void> {
  try {
    for (const prepare of preparations) await prepare();
  } catch (cause) {
    throw new Error('preparing to lead', { cause });
  }
}

async function watchLoop(name: string, loop: { readonly done: Promise<void> }): Promise<void> {
  try {
    await loop.done;
  } catch (cause) {
    throw new Error(`running the loop ${name}`, { cause });
  }
}
