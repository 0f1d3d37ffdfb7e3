import type { Refusal } from './reason.ts';

/**
 * One decision or refusal, complete in itself: what was decided, about what, because of what,
 * what it costs or saves, and the sentence a person reads. The terminal, the log, the events
 * and the console are all made from these and re-derive nothing.
 */
export interface Decision extends DecisionDraft {
  /** Rises by one per decision within a controller's life; `explain` and the logs show it. */
  readonly id: number;
  readonly atMs: number;
}

/** A decision before the recorder gives it a number and a time. */
export interface DecisionDraft {
  readonly code: DecisionCode;
  readonly subject: Subject;
  /** The facts that decided, in order of weight. */
  readonly because: readonly Fact[];
  /** What the cluster costs without and with it; absent where money plays no part. */
  readonly money?: Money | undefined;
  readonly sentence: string;
  /** With `PodRefused`: the whole tree of reasons, and what would help. */
  readonly refusal?: Refusal | undefined;
}

export interface Subject {
  readonly kind:
    | 'Pod'
    | 'Node'
    | 'NodeClaim'
    | 'NodePool'
    | 'EC2NodeClass'
    | 'Instance'
    | 'LaunchTemplate';
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface Fact {
  readonly name: string;
  readonly value: string | number | boolean;
}

export interface Money {
  readonly beforeUsdPerHour: number;
  readonly afterUsdPerHour: number;
}

/** Stable: people filter and alert on these. Add, never rename. */
export type DecisionCode =
  | 'NodeOrdered'
  | 'PodsPlaced'
  | 'PodRefused'
  | 'NodeLaunched'
  | 'LaunchRefused'
  | 'NodeRegistered'
  | 'NodeInitialized'
  | 'NodeGivenUp'
  | 'NodeEmpty'
  | 'DisruptionRefused'
  | 'NodeDraining'
  | 'DrainBlocked'
  | 'NodeRemoved'
  | 'InstanceCollected'
  | 'ClaimCollected'
  | 'NodeInterrupted'
  | 'NodeExpired'
  | 'NodeClassReady'
  | 'NodeClassRefused'
  | 'NodePoolRefused';
