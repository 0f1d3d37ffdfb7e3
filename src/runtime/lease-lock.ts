import { type LeaseObject, leases } from '../api/kubernetes/core.ts';
import { microTimestamp } from '../api/timestamp.ts';
import type { Clock } from '../ports/clock.ts';
import { isKubeError, type KubeClient } from '../ports/kube.ts';

interface LeaseLockOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseMs: number;
}

/**
 * A Lease as a lock. Whether a silent holder's time is over is told by our own timers from the
 * moment we saw its last sign of life: neither its clock nor a jump of ours can shorten it.
 */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  /** The lease as last seen, while that may still be true. */
  #known: LeaseObject | undefined;
  #seenVersion: string | undefined;
  #isSilent = false;
  #cancelSilence = (): void => {};

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Who held it when we last looked. */
  get holder(): string | undefined {
    return this.#known?.spec?.holderIdentity;
  }

  /**
   * Takes the lease, or renews it if it is ours. False when somebody else holds it or was
   * faster. Rejects with a KubeError when it cannot be known; repeating is safe.
   */
  async hold(): Promise<boolean> {
    const lease = this.#isOurs() ? this.#known : await this.#look();
    try {
      if (lease === undefined) {
        this.#see(await this.#create());
        return true;
      }
      if (!this.#isFree(lease)) return false;
      this.#see(await this.#options.client.update(leases, this.#claimed(lease)));
      return true;
    } catch (error) {
      // Whatever went wrong, what we knew may be no longer so.
      this.#known = undefined;
      if (isKubeError(error, 'conflict', 'already-exists')) return false;
      throw error;
    }
  }

  /** Gives the lease up, so that others need not wait. Only for a holder whose work has ended. */
  async release(): Promise<void> {
    const lease = await this.#look();
    if (lease === undefined || !this.#isOurs()) return;
    const { client } = this.#options;
    const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 };
    this.#see(await client.update(leases, { ...lease, spec }));
  }

  /** Ends the timer. */
  close(): void {
    this.#cancelSilence();
  }

  async #look(): Promise<LeaseObject | undefined> {
    const { client, name, namespace } = this.#options;
    const lease = await client.get(leases, { name, namespace });
    if (lease === undefined) this.#known = undefined;
    else this.#see(lease);
    return lease;
  }

  #see(lease: LeaseObject): void {
    this.#known = lease;
    const version = lease.metadata.resourceVersion;
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    this.#isSilent = false;
    this.#cancelSilence();
    const { clock, leaseMs } = this.#options;
    const claimedMs = (lease.spec?.leaseDurationSeconds ?? 0) * 1_000;
    this.#cancelSilence = clock.schedule(Math.max(leaseMs, claimedMs), () => {
      this.#isSilent = true;
    });
  }

  #isOurs(): boolean {
    return this.holder === this.#options.identity;
  }

  #isFree(lease: LeaseObject): boolean {
    const holder = lease.spec?.holderIdentity ?? '';
    return holder === '' || holder === this.#options.identity || this.#isSilent;
  }

  #create(): Promise<LeaseObject> {
    const { client, name, namespace } = this.#options;
    return client.create(leases, { metadata: { name, namespace }, spec: this.#spec(undefined) });
  }

  #claimed(lease: LeaseObject): LeaseObject {
    return { ...lease, spec: this.#spec(lease) };
  }

  #spec(lease: LeaseObject | undefined): NonNullable<LeaseObject['spec']> {
    const { clock, identity, leaseMs } = this.#options;
    const now = microTimestamp(clock.nowMs());
    const isRenewal = lease?.spec?.holderIdentity === identity;
    const transitions = lease?.spec?.leaseTransitions ?? 0;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseMs / 1_000),
      acquireTime: (isRenewal ? lease.spec?.acquireTime : undefined) ?? now,
      renewTime: now,
      leaseTransitions: lease === undefined || isRenewal ? transitions : transitions + 1,
    };
  }
}
