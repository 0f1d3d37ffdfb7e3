import type { Snapshot } from '../../core/cluster/snapshot.ts';
import type { Move } from '../../core/disruption/move.ts';

/** What a method would do now, or when it should be asked again without any change. */
export interface Finding {
  readonly moves: readonly Move[];
  readonly nextInMs?: number | undefined;
}

/** One way to need fewer nodes. It may remember what it saw; it changes nothing. */
export type Method = (snapshot: Snapshot) => Finding;
