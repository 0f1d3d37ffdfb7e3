import type { Pod } from '../../core/cluster/pod.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observation, PendingPod } from '../../ports/observation.ts';
import type { ClusterState } from './cluster-state.ts';
import type { Informers } from './informers.ts';
import type { Place, ReservationLedger } from './ledger.ts';
import type { PlanBoard } from './plan-board.ts';

export interface ObservationParts {
  readonly cluster: ClusterState;
  readonly informers: Informers;
  readonly ledger: ReservationLedger;
  readonly board: PlanBoard;
  readonly clock: Clock;
}

/** Changes come in swarms; whoever looks is told four times a second at most. */
const quietMs = 250;

export function createObservation(parts: ObservationParts): Observation {
  const { cluster, clock } = parts;
  const listeners = new Set<() => void>();
  let isScheduled = false;

  function announce(): void {
    isScheduled = false;
    for (const listener of [...listeners]) listener();
  }

  cluster.onChange(() => {
    if (isScheduled || listeners.size === 0) return;
    isScheduled = true;
    clock.schedule(quietMs, announce);
  });

  return {
    snapshot: () => cluster.snapshot(),
    pending: () => pendingPods(parts),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function pendingPods({ cluster, informers, ledger, board }: ObservationParts): PendingPod[] {
  const snapshot = cluster.snapshot();
  return informers.pods
    .by('unbound', 'yes')
    .map(cluster.podOf)
    .filter((pod) => !pod.isTerminal && !pod.isTerminating)
    .sort(oldestFirst)
    .map((pod) => {
      const place = ledger.placeOf(pod.uid);
      return place === undefined
        ? { pod, refusal: board.refusalOf(pod.uid) }
        : { pod, waitsFor: nameOf(snapshot, place) };
    });
}

/** A claim is known by its Node's name as soon as there is one. */
function nameOf(snapshot: Snapshot, place: Place): string {
  if (place.kind === 'node') return place.name;
  return snapshot.nodes.find((node) => node.claimName === place.name)?.name ?? place.name;
}

function oldestFirst(a: Pod, b: Pod): number {
  return (
    a.createdAtMs - b.createdAtMs ||
    (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1)
  );
}
