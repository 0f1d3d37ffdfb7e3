import type { Snapshot } from '../src/core/cluster/snapshot.ts';
import type { Observation, PendingPod, Question } from '../src/ports/observation.ts';

/** What a controller shows that sees this and does nothing. */
export function anObservation(sight: {
  readonly snapshot: () => Snapshot;
  readonly pending?: readonly PendingPod[];
}): Observation {
  const { snapshot, pending = [] } = sight;
  return {
    snapshot,
    pending: () => pending,
    question: async (): Promise<Question> => ({
      snapshot: snapshot(),
      pods: pending.map(({ pod }) => pod),
      settings: {},
    }),
    subscribe: () => () => undefined,
  };
}
