import type { Clock } from '../ports/clock.ts';

interface TenureOptions {
  readonly clock: Clock;
  readonly renewWithinMs: number;
}

/**
 * The time for which a lease may be relied on. It counts from before the request that renewed
 * it, since nobody knows when within the request the server did. Timers and the clock's reading
 * must both agree that there is time left: either may stand still while a machine sleeps.
 */
export class Tenure {
  readonly #options: TenureOptions;
  readonly #listeners: (() => void)[] = [];
  #renewedMs: number | undefined;
  #cancelDeadline = (): void => {};
  #state: 'held' | 'lost' | 'ended' = 'held';

  constructor(options: TenureOptions) {
    this.#options = options;
  }

  get isLost(): boolean {
    if (this.#state === 'held' && this.#isOverdue()) this.lose();
    return this.#state === 'lost';
  }

  onLost(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Tries to prolong the tenure. A success that comes after the end does not revive it. */
  async renew(attempt: () => Promise<boolean>): Promise<boolean> {
    const { clock, renewWithinMs } = this.#options;
    const startedMs = clock.nowMs();
    const cancel = clock.schedule(renewWithinMs, () => this.lose());
    let isRenewed = false;
    try {
      isRenewed = await attempt();
    } finally {
      if (!isRenewed || this.#state !== 'held') cancel();
    }
    if (!isRenewed || this.#state !== 'held') return false;
    this.#cancelDeadline();
    this.#cancelDeadline = cancel;
    this.#renewedMs = startedMs;
    return !this.isLost;
  }

  lose(): void {
    if (this.#state !== 'held') return;
    this.#state = 'lost';
    this.#cancelDeadline();
    for (const listener of this.#listeners) listener();
  }

  /** Over in good order. */
  end(): void {
    if (this.#state === 'held') this.#state = 'ended';
    this.#cancelDeadline();
  }

  #isOverdue(): boolean {
    const { clock, renewWithinMs } = this.#options;
    return this.#renewedMs !== undefined && clock.nowMs() - this.#renewedMs >= renewWithinMs;
  }
}
