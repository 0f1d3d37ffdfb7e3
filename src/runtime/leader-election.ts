import { type Clock, sleep } from '../ports/clock.ts';
import { isKubeError, type KubeClient } from '../ports/kube.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import { FailureLog } from './failure-log.ts';
import { LeaseLock } from './lease-lock.ts';
import { expectManyListeners } from './shared-signal.ts';
import { Tenure } from './tenure.ts';

export interface LeaderElectionOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly namespace: string;
  readonly name: string;
  /** Who we are; must differ between any two processes, restarts of one pod included. */
  readonly identity: string;
  /** How long others wait for a holder that has fallen silent; 15 s. */
  readonly leaseMs?: number | undefined;
  /** How long the holder goes on without having renewed; less than the lease; 10 s. */
  readonly renewWithinMs?: number | undefined;
  /** Between two tries; 2 s. */
  readonly retryMs?: number | undefined;
  /** Told when leadership begins, and when the work of a leadership has come to its end. */
  readonly onStarted?: (() => void) | undefined;
  readonly onStopped?: (() => void) | undefined;
  /**
   * The work of a leader. Its signal is aborted when leadership ends for any reason; the lease is
   * given up only after the work has come back, so that two never work at once.
   */
  readonly lead: (signal: AbortSignal) => Promise<void>;
}

/** How long a server that does not answer may delay our end. */
const partingMs = 5_000;

interface Election extends LeaderElectionOptions {
  readonly lock: LeaseLock;
  readonly failureLog: FailureLog;
  readonly renewWithinMs: number;
  readonly retryMs: number;
}

/**
 * Stands for election until the signal is aborted, and leads whenever elected. Resolves when the
 * last work has ended and the lease is released; rejects only if the work itself rejects.
 */
export async function runLeaderElection(
  options: LeaderElectionOptions,
  signal: AbortSignal,
): Promise<void> {
  const { leaseMs = 15_000, renewWithinMs = 10_000, retryMs = 2_000 } = options;
  expectManyListeners(signal);
  const lock = new LeaseLock({ ...options, leaseMs });
  const failureLog = new FailureLog(options.clock, options.log);
  const election: Election = { ...options, lock, failureLog, renewWithinMs, retryMs };
  try {
    while (!signal.aborted) {
      const tenure = await campaign(election, signal);
      if (tenure !== undefined) await serve(election, tenure, signal);
    }
  } finally {
    lock.close();
  }
}

/** Tries until the lease is ours. Undefined once the signal is aborted. */
async function campaign(election: Election, signal: AbortSignal): Promise<Tenure | undefined> {
  const { clock, random, retryMs, renewWithinMs, log } = election;
  let lastHolder: string | undefined;
  while (!signal.aborted) {
    const tenure = new Tenure({ clock, renewWithinMs });
    if (await tenure.renew(() => tryHold(election))) {
      log.info('leading', { lease: election.name, identity: election.identity });
      return tenure;
    }
    const { holder } = election.lock;
    if (holder !== lastHolder) log.info('standing by', { lease: election.name, holder });
    lastHolder = holder;
    // Candidates that started together must not go on asking together.
    await sleep(clock, retryMs * (1 + random.fraction()), signal).catch(() => undefined);
  }
  return undefined;
}

/** Leads until told to stop or until the lease is lost, and comes back when the work has ended. */
async function serve(election: Election, tenure: Tenure, signal: AbortSignal): Promise<void> {
  const leading = new AbortController();
  expectManyListeners(leading.signal);
  const stop = (): void => leading.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  tenure.onLost(() => leading.abort(new Error('the lease was lost')));
  const worked = new AbortController();
  election.onStarted?.();
  try {
    // Renewing goes on while the work winds down: until then nobody else may begin.
    const renewing = keepRenewing(election, tenure, worked.signal);
    await election.lead(leading.signal).finally(() => {
      worked.abort();
      election.onStopped?.();
    });
    await within(election.clock, partingMs, renewing);
  } finally {
    signal.removeEventListener('abort', stop);
    await stepDown(election, tenure);
  }
}

async function keepRenewing(
  election: Election,
  tenure: Tenure,
  worked: AbortSignal,
): Promise<void> {
  const { clock, retryMs, log } = election;
  while (!worked.aborted && !tenure.isLost) {
    await sleep(clock, retryMs, worked).catch(() => undefined);
    if (worked.aborted || tenure.isLost) break;
    const isRenewed = await tenure.renew(() => tryHold(election));
    const { holder } = election.lock;
    const isTaken = holder !== undefined && holder !== election.identity;
    if (!isRenewed && isTaken) tenure.lose();
  }
  if (tenure.isLost)
    log.error('lost the lease', { lease: election.name, holder: election.lock.holder });
}

async function stepDown(election: Election, tenure: Tenure): Promise<void> {
  const { lock, log, name } = election;
  const isHeld = !tenure.isLost;
  tenure.end();
  if (!isHeld) return;
  try {
    await within(election.clock, partingMs, lock.release());
    log.info('stepped down', { lease: name });
  } catch (error) {
    if (!isKubeError(error)) throw error;
    // Others will wait for it to run out; that is all.
    log.error('releasing the lease failed', { lease: name, error });
  }
}

/** False as well when it cannot be known: the tenure's deadline decides how long that may last. */
async function tryHold(election: Election): Promise<boolean> {
  const { lock, failureLog, name: lease } = election;
  try {
    const isHeld = await lock.hold();
    failureLog.succeeded(lease, 'asking for the lease works again', { lease });
    return isHeld;
  } catch (error) {
    if (!isKubeError(error)) throw error;
    failureLog.failed(lease, 'asking for the lease failed', { lease, error });
    return false;
  }
}

/** Waits for the work, but no longer than that. A failure in time is passed on. */
async function within(clock: Clock, limitMs: number, work: Promise<void>): Promise<void> {
  const settled = new AbortController();
  const limit = sleep(clock, limitMs, settled.signal).catch(() => undefined);
  try {
    await Promise.race([work, limit]);
  } finally {
    settled.abort();
  }
}
