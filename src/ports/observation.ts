import type { Pod } from '../core/cluster/pod.ts';
import type { Snapshot } from '../core/cluster/snapshot.ts';
import type { Refusal } from '../core/explain/reason.ts';

/** What the controller knows right now, for those who only look: console, terminal, `explain`. */
export interface Observation {
  /** The latest snapshot; the same value until something changes. */
  snapshot(): Snapshot;
  /** Pods without a node, oldest first, with what the last plan said about them. */
  pending(): readonly PendingPod[];
  /** Calls back after changes, at most a few times a second, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export interface PendingPod {
  readonly pod: Pod;
  /** The node or claim it waits for; undefined while undecided or refused. */
  readonly waitsFor?: string | undefined;
  readonly refusal?: Refusal | undefined;
}
