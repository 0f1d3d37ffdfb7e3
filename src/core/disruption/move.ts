import type { DisruptionReason, Node } from '../cluster/snapshot.ts';
import type { NewNode } from '../scheduling/plan.ts';

/** Nodes to give up, what replaces them, and what that saves. */
export interface Move {
  readonly reason: DisruptionReason;
  readonly nodes: readonly Node[];
  readonly replacements: readonly NewNode[];
  readonly savingUsdPerHour: number;
  readonly sentence: string;
}

/** A node that was looked at and stays, with the reason a person reads. */
export interface Stay {
  readonly node: Node;
  readonly code: StayCode;
  readonly sentence: string;
}

export type StayCode =
  | 'not-ready'
  | 'has-pods'
  | 'reserved'
  | 'do-not-disrupt'
  | 'not-idle-long-enough'
  | 'never-consolidated'
  | 'budget-exhausted';
