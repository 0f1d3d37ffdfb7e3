import { isProvisionable } from '../../core/cluster/pod.ts';
import type { PlanBoard } from '../cluster-state/plan-board.ts';
import type { Context } from '../context.ts';
import { follow, runAlone } from '../loops.ts';
import { Batcher } from './batcher.ts';
import { type ProvisionerParts, provision } from './provisioner.ts';
import { Reporter } from './report.ts';
import { createSettling } from './settling.ts';

const defaultIdleMs = 1_000;
const defaultMaxMs = 10_000;

/** Buys nodes for pods that have none: gathers them into batches and plans each batch at once. */
export function startProvisioning(
  context: Context,
  board: PlanBoard,
  signal: AbortSignal,
): { readonly done: Promise<void> } {
  const { settings, ports } = context;
  const parts: ProvisionerParts = {
    context,
    board,
    reporter: new Reporter(context),
    isSettled: createSettling(context),
  };
  const loop = runAlone(context, 'provisioner', () => provision(parts), signal);
  const batcher = new Batcher({
    clock: ports.clock,
    idleMs: settings.batchIdleMs ?? defaultIdleMs,
    maxMs: settings.batchMaxMs ?? defaultMaxMs,
    onBatch: () => loop.trigger(),
  });
  signal.addEventListener('abort', () => batcher.stop(), { once: true });
  triggerOnPods(context, batcher, signal);
  triggerOnLosses(context, batcher, signal);
  return loop;
}

function triggerOnPods(context: Context, batcher: Batcher, signal: AbortSignal): void {
  const { informers, cluster, ledger } = context;
  follow(informers.pods, signal, (object) => {
    const pod = cluster.podOf(object);
    // A pod whose place is on the way needs no other one.
    if (pod.isTerminating || ledger.placeOf(pod.uid) !== undefined) return;
    if (isProvisionable(pod)) batcher.trigger(pod.uid);
  });
}

/** What takes a place away or makes one possible: leaving nodes, ended claims, changed pools. */
function triggerOnLosses({ informers }: Context, batcher: Batcher, signal: AbortSignal): void {
  const stops = [
    informers.nodeClaims.onChange(({ type, object }) => {
      const isEnding = object.metadata.deletionTimestamp !== undefined;
      if (type === 'deleted' || isEnding) batcher.trigger(`claim/${object.metadata.uid}`);
    }),
    informers.nodePools.onChange(({ object, previous }) => {
      const isNew = object.metadata.generation !== previous?.metadata.generation;
      const isReadier = readiness(object) !== readiness(previous);
      if (isNew || isReadier) batcher.trigger(`pool/${object.metadata.uid}`);
    }),
    informers.nodeClasses.onChange(({ object, previous }) => {
      if (readiness(object) !== readiness(previous)) {
        batcher.trigger(`class/${object.metadata.uid}`);
      }
    }),
  ];
  for (const stop of stops) signal.addEventListener('abort', stop, { once: true });
}

interface WithConditions {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

function readiness(object: WithConditions | undefined): string | undefined {
  return object?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}
