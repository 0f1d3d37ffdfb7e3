import type { Pod } from '../../../src/core/cluster/pod.ts';
import type { Node, Snapshot } from '../../../src/core/cluster/snapshot.ts';

/** A cluster that is not: what would be different, and who then needs a place. */
export interface Change {
  readonly snapshot: Snapshot;
  /** Those that wait already. */
  readonly waiting: readonly Pod[];
  /** Those that are asked about. */
  readonly comers: readonly Pod[];
  /** A node that would no longer be there. */
  readonly gone?: Node | undefined;
  /** What is assumed, or left out, as sentences. */
  readonly notes: readonly string[];
}
