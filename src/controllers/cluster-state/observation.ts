import type { Pod } from '../../core/cluster/pod.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import type { Observation, PendingPod, Question } from '../../ports/observation.ts';
import { inSlices } from '../../ports/slices.ts';
import type { Context } from '../context.ts';
import type { Place } from './ledger.ts';
import type { PlanBoard } from './plan-board.ts';

/** Changes come in swarms; whoever looks is told four times a second at most. */
const quietMs = 250;

export function createObservation(context: Context, board: PlanBoard): Observation {
  const { cluster, ports } = context;
  const listeners = new Set<() => void>();
  let isScheduled = false;

  function announce(): void {
    isScheduled = false;
    for (const listener of [...listeners]) listener();
  }

  cluster.onChange(() => {
    if (isScheduled || listeners.size === 0) return;
    isScheduled = true;
    ports.clock.schedule(quietMs, announce);
  });

  return {
    snapshot: () => cluster.snapshot(),
    pending: () => pendingPods(context, board),
    question: async (signal) => {
      // Before the first plan nothing is known of what can be bought, nor where others lead.
      await context.types.refresh();
      return inSlices(gathering(context), ports.clock, signal);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** As a round of provisioning gathers it, without changing what is remembered of places. */
function* gathering(context: Context): Generator<void, Question> {
  const { cluster, scarcePools, informers, settings, ports } = context;
  yield* cluster.catchingUp();
  const atMs = ports.clock.nowMs();
  const snapshot = cluster.snapshot();
  const pods = yield* cluster.waitingPods(snapshot);
  return {
    snapshot: { ...snapshot, atMs, pools: scarcePools.weighed(snapshot.pools, atMs) },
    pods,
    settings: settings.scheduling ?? {},
    defaultSpread: settings.defaultSpread,
    services: informers.services?.list(),
  };
}

function pendingPods({ cluster, informers, ledger }: Context, board: PlanBoard): PendingPod[] {
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
