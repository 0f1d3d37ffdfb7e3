import { type KubeObject, keyOf } from '../../api/resource.ts';
import { isProvisionable } from '../../core/cluster/pod.ts';
import { taintKeys } from '../../core/requirements/well-known.ts';
import type { PlanBoard } from '../cluster-state/plan-board.ts';
import type { Context } from '../context.ts';
import { runAlone } from '../loops.ts';
import { Batcher } from './batcher.ts';
import { startNomination } from './nomination.ts';
import { Planner } from './planner.ts';
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
    planner: new Planner(ports.clock, settings.scheduling),
    reporter: new Reporter(context),
    isSettled: createSettling(context),
  };
  const nomination = startNomination(context, signal);
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
  triggerOnCircumstances({ context, board, batcher }, signal);
  return { done: Promise.all([loop.done, nomination.done]).then(() => undefined) };
}

/** Pods that are there already are seen by the first round, which comes at once. */
function triggerOnPods(context: Context, batcher: Batcher, signal: AbortSignal): void {
  const { informers, cluster, ledger } = context;
  const stop = informers.pods.onChange(({ object }) => {
    const pod = cluster.podOf(object);
    // A pod whose place is on the way needs no other one.
    if (pod.isTerminating || ledger.placeOf(pod.uid) !== undefined) return;
    if (isProvisionable(pod)) batcher.trigger(pod.uid);
  });
  signal.addEventListener('abort', stop, { once: true });
}

/** What takes a place away or makes one possible: leaving nodes, ended claims, changed pools. */
function triggerOnLosses(
  { informers, cluster, bufferBook }: Context,
  batcher: Batcher,
  signal: AbortSignal,
): void {
  const stops = [
    bufferBook.onChange((key) => {
      if (bufferBook.outcomeOf(key) === undefined) batcher.trigger(`buffer/${key}`);
    }),
    informers.nodes.onChange(({ object }) => {
      const isLeaving = object.spec?.taints?.some(({ key }) => key === taintKeys.disrupted);
      if (isLeaving === true) batcher.trigger(`node/${object.metadata.uid}`);
    }),
    informers.volumeClaims.onChange(({ object }) => {
      for (const pod of informers.pods.by('claim', keyOf(object)))
        if (isProvisionable(cluster.podOf(pod))) batcher.trigger(`claim-of/${pod.metadata.uid}`);
    }),
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

/**
 * What else decides about pods, as the rules of their volumes or the daemons of every node. It is
 * of no interest while every pod has its place.
 */
function triggerOnCircumstances(
  { context, board, batcher }: Circumstances,
  signal: AbortSignal,
): void {
  const { daemonSets, namespaces, volumes, storageClasses, services, nodeOverlays } =
    context.informers;
  const deciding = [daemonSets, namespaces, volumes, storageClasses, services, nodeOverlays];
  for (const informer of deciding) {
    const stop = informer?.onChange(({ type, object, previous }) => {
      if (board.isEmpty || (type === 'updated' && isStatusAlone(object, previous))) return;
      batcher.trigger(`${informer.resource.plural}/${object.metadata.uid}`);
    });
    if (stop !== undefined) signal.addEventListener('abort', stop, { once: true });
  }
}

interface Circumstances {
  readonly context: Context;
  readonly board: PlanBoard;
  readonly batcher: Batcher;
}

/** Kinds whose generation the server counts change their status without it. */
function isStatusAlone({ metadata }: KubeObject, previous: KubeObject | undefined): boolean {
  const { generation, deletionTimestamp } = metadata;
  return (
    generation !== undefined &&
    generation === previous?.metadata.generation &&
    deletionTimestamp === previous.metadata.deletionTimestamp
  );
}

interface WithConditions {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

function readiness(object: WithConditions | undefined): string | undefined {
  return object?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}
