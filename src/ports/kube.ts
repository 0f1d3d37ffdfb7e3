import type { KubeObject, NewObject, Resource } from '../api/resource.ts';

/**
 * What we ask of a Kubernetes API server. Every method rejects with a `KubeError` and with
 * nothing else on purpose; retries after throttling or a lost connection are the caller's
 * choice, except that reads are repeated by the client itself.
 */
export interface KubeClient {
  /** The object, or undefined when there is none. */
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<T | undefined>;

  /**
   * All matching objects at one resource version, however many pages that takes. `keep` says what
   * to keep of each object; it is asked page by page, so that a large list is never held whole.
   */
  list<T extends KubeObject>(
    resource: Resource<T>,
    options?: ListOptions,
    keep?: (object: T) => T,
  ): Promise<ObjectList<T>>;

  /**
   * Changes after `resourceVersion`, in order, until the server ends the watch or the signal is
   * aborted; both end the iteration normally. Throws `gone` when that version is too old: list again.
   */
  watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchOptions,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<T>>;

  /** The created object. `already-exists` if the name is taken. */
  create<T extends KubeObject>(resource: Resource<T>, object: NewObject<T>): Promise<T>;

  /** Replaces the object; `conflict` when its resourceVersion is not the current one. */
  update<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    subresource?: 'status' | 'finalize',
  ): Promise<T>;

  /** Changes part of an object. A merge patch with a resourceVersion fails with `conflict` if stale. */
  patch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch): Promise<T>;

  /** Asks for deletion; undefined when the object was gone already. */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<T | undefined>;

  /** Evicts a pod through the Eviction API. `too-many-requests` when a disruption budget forbids it. */
  evict(pod: ObjectKey & { readonly namespace: string }, options?: DeleteOptions): Promise<void>;

  /** Any other POST below an object, e.g. `binding`. */
  createSubresource<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    subresource: string,
    body: object,
  ): Promise<void>;

  /** Version of the server, `1.36`, and whether it can be reached at all. */
  serverVersion(): Promise<string>;
}

export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface ListOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly pageSize?: number | undefined;
  /** Nobody waits for the list any more: it rejects with `unreachable` as soon as it can. */
  readonly signal?: AbortSignal | undefined;
}

export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

export interface WatchOptions extends Omit<ListOptions, 'signal'> {
  readonly resourceVersion: string;
}

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

export type Patch =
  | {
      readonly type: 'merge' | 'strategic';
      readonly body: object;
      readonly subresource?: 'status' | undefined;
    }
  | {
      readonly type: 'apply';
      readonly body: object;
      readonly fieldManager: string;
      readonly force?: boolean | undefined;
      readonly subresource?: 'status' | undefined;
    }
  | {
      readonly type: 'json';
      readonly body: readonly object[];
      readonly subresource?: 'status' | undefined;
    };

export interface DeleteOptions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined;
}

export type KubeErrorKind =
  | 'not-found'
  | 'already-exists'
  | 'conflict'
  | 'invalid'
  | 'gone'
  | 'too-many-requests'
  | 'unauthorized'
  | 'forbidden'
  | 'unreachable'
  | 'server-error';

/** The only error a `KubeClient` throws on purpose. Callers switch on `kind`, never on `message`. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly kind: KubeErrorKind;
  readonly status: number;
  /** How long the server asked us to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: KubeErrorKind,
    message: string,
    options: ErrorOptions & { readonly status?: number; readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.status = options.status ?? 0;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function isKubeError(error: unknown, ...kinds: KubeErrorKind[]): error is KubeError {
  return error instanceof KubeError && (kinds.length === 0 || kinds.includes(error.kind));
}
