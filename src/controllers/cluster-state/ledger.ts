import { finish } from '../../core/steps.ts';

/** Where a pod was planned to go: a claim by its name, or a Node that has none. */
export interface Place {
  readonly kind: 'claim' | 'node';
  readonly name: string;
}

/** What the ledger asks of the cluster before it keeps an entry. */
export interface LedgerView {
  /** Whether the pod exists, is not bound, and still wants a place. */
  isWaiting(podUid: string): boolean;
  /** Whether nobody will ever bind it: it waits for as long as there is the place. */
  isNeverBound?(podUid: string): boolean;
  /** When the place became able to take pods; 'coming' before that, 'gone' once it is no more. */
  stateOf(place: Place): 'gone' | 'coming' | { readonly readySinceMs: number };
}

/** Entries that are looked at in one step. */
const stepLength = 64;

type LedgerListener = (place: Place, podUid: string) => void;

interface Entry {
  readonly place: Place;
  readonly plannedAtMs: number;
}

/**
 * Remembers for whom a place was planned, from the moment of the decision until the pod is bound,
 * so that nothing is bought twice while the cluster catches up. It lives in memory only: after a
 * restart it is filled from what claims and pods say themselves.
 */
export class ReservationLedger {
  readonly #entries = new Map<string, Entry>();
  readonly #podsOf = new Map<string, Set<string>>();
  readonly #patienceMs: number;
  readonly #listeners = new Set<LedgerListener>();
  #version = 0;

  /** `patienceMs`: how long the kube-scheduler may take to bind a pod to a place that is ready. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Rises with every change. */
  get version(): number {
    return this.#version;
  }

  /** Calls back with every place for which another pod waits, or one less, until told to stop. */
  onChange(listener: LedgerListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  reserve(podUid: string, place: Place, nowMs: number): void {
    const before = this.#entries.get(podUid);
    if (before !== undefined && isSame(before.place, place)) return;
    this.release(podUid);
    this.#entries.set(podUid, { place, plannedAtMs: nowMs });
    const key = keyOfPlace(place);
    const pods = this.#podsOf.get(key) ?? new Set();
    this.#podsOf.set(key, pods.add(podUid));
    this.#changed(place, podUid);
  }

  release(podUid: string): void {
    const entry = this.#entries.get(podUid);
    if (entry === undefined) return;
    this.#entries.delete(podUid);
    const key = keyOfPlace(entry.place);
    const pods = this.#podsOf.get(key);
    pods?.delete(podUid);
    if (pods?.size === 0) this.#podsOf.delete(key);
    this.#changed(entry.place, podUid);
  }

  /** Forgets everything, as after a restart: another one may have planned meanwhile. */
  clear(): void {
    for (const podUid of [...this.#entries.keys()]) this.release(podUid);
  }

  placeOf(podUid: string): Place | undefined {
    return this.#entries.get(podUid)?.place;
  }

  /** The pods that wait for the place, by uid. */
  reservedFor(place: Place): readonly string[] {
    return [...(this.#podsOf.get(keyOfPlace(place)) ?? [])].sort();
  }

  /** The others that wait for the same place as the pod, in the order in which they were planned. */
  besides(podUid: string): readonly string[] {
    const place = this.placeOf(podUid);
    const all = place === undefined ? undefined : this.#podsOf.get(keyOfPlace(place));
    return [...(all ?? [])].filter((other) => other !== podUid);
  }

  /** Drops what the cluster has overtaken: pods gone or bound, places gone, patience at an end. */
  prune(view: LedgerView, nowMs: number): void {
    finish(this.pruning(view, nowMs));
  }

  /** The same in small steps; an entry that changes in between is left for the next time. */
  *pruning(view: LedgerView, nowMs: number): Generator<void, void> {
    let looked = 0;
    for (const [podUid, entry] of [...this.#entries]) {
      if (++looked % stepLength === 0) yield;
      if (this.#entries.get(podUid) !== entry) continue;
      const patienceMs = view.isNeverBound?.(podUid) === true ? Infinity : this.#patienceMs;
      const isOver = isOverBy(entry, view.stateOf(entry.place), nowMs - patienceMs);
      if (!view.isWaiting(podUid) || isOver) this.release(podUid);
    }
  }

  #changed(place: Place, podUid: string): void {
    this.#version++;
    for (const listener of this.#listeners) listener(place, podUid);
  }
}

/** Whether the place is gone, or was ready for the pod at that time already. */
function isOverBy(entry: Entry, state: ReturnType<LedgerView['stateOf']>, thenMs: number): boolean {
  if (state === 'gone') return true;
  if (state === 'coming') return false;
  return Math.max(entry.plannedAtMs, state.readySinceMs) <= thenMs;
}

function keyOfPlace(place: Place): string {
  return `${place.kind}/${place.name}`;
}

function isSame(a: Place, b: Place): boolean {
  return a.kind === b.kind && a.name === b.name;
}
