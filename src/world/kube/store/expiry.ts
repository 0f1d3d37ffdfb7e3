import type { Clock } from '../../../ports/clock.ts';
import type { Store } from './store.ts';

interface ExpiryOptions {
  readonly clock: Clock;
  readonly store: Store;
  readonly storage: string;
  /** How long an object stays after it was last written. */
  readonly ttlMs: number;
}

/**
 * Removes objects of one storage that nobody has written to for so long, as etcd does when their
 * leases end: watches see an ordinary deletion. It holds no timer, so that an idle server has none.
 */
export class Expiry {
  readonly storage: string;
  readonly #options: ExpiryOptions;
  /** In the order of their last write, and so of their ends. */
  readonly #endsMs = new Map<string, number>();

  constructor(options: ExpiryOptions) {
    const { clock, store, storage, ttlMs } = options;
    this.storage = storage;
    this.#options = options;
    store.subscribe(storage, ({ type, key }) => {
      this.#endsMs.delete(key);
      if (type !== 'DELETED') this.#endsMs.set(key, clock.nowMs() + ttlMs);
    });
  }

  /** Removes whatever is over by now. */
  sweep(): void {
    const { clock, store, storage } = this.#options;
    for (const [key, endMs] of this.#endsMs) {
      if (endMs > clock.nowMs()) return;
      store.remove(storage, key);
    }
  }
}
