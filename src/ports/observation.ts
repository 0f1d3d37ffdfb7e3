import type { DefaultSpread } from '../api/decode/default-spread.ts';
import type { ServiceObject } from '../api/kubernetes/core.ts';
import type { Pod } from '../core/cluster/pod.ts';
import type { Snapshot } from '../core/cluster/snapshot.ts';
import type { Refusal } from '../core/explain/reason.ts';
import type { SolveSettings } from '../core/scheduling/solve.ts';

/** What the controller knows right now, for those who only look: console, terminal, `explain`. */
export interface Observation {
  /** The latest snapshot; the same value until something changes. */
  snapshot(): Snapshot;
  /** Pods without a node, oldest first, with what the last plan said about them. */
  pending(): readonly PendingPod[];
  /**
   * What a plan made now would be asked, for those who ask "what if". Gathered in slices, so that
   * nobody else waits; rejects with the reason of the signal once that is aborted.
   */
  question(signal?: AbortSignal): Promise<Question>;
  /** Calls back after changes, at most a few times a second, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export interface PendingPod {
  readonly pod: Pod;
  /** The node or claim it waits for; undefined while undecided or refused. */
  readonly waitsFor?: string | undefined;
  readonly refusal?: Refusal | undefined;
}

/** All that decides a plan. `solve(snapshot, pods, settings)` answers as the controller would. */
export interface Question {
  readonly snapshot: Snapshot;
  /** Everybody who waits for a place, those whose place is on its way included. */
  readonly pods: readonly Pod[];
  readonly settings: SolveSettings;
  /** How the kube-scheduler spreads pods that do not say; it does not where not given. */
  readonly defaultSpread?: readonly DefaultSpread[] | undefined;
  /** By which it finds the companions of pods that no controller keeps. */
  readonly services?: readonly ServiceObject[] | undefined;
}
