import { setMaxListeners } from 'node:events';
import type { NodeOverlay } from '../api/karpenter/node-overlay.ts';
import type { Observation } from '../ports/observation.ts';
import { inSlices } from '../ports/slices.ts';
import { createManager, type Manager } from '../runtime/manager.ts';
import { BufferBook } from './buffer/buffer-book.ts';
import { startBuffers } from './buffer/loop.ts';
import { ClusterState } from './cluster-state/cluster-state.ts';
import { createInformers, everyInformer } from './cluster-state/informers.ts';
import { InstanceTypeBook } from './cluster-state/instance-type-book.ts';
import { ReservationLedger } from './cluster-state/ledger.ts';
import { createObservation } from './cluster-state/observation.ts';
import { PlanBoard } from './cluster-state/plan-board.ts';
import { ScarcePools } from './cluster-state/scarce-pools.ts';
import type { Context } from './context.ts';
import { startDisruption } from './disruption/loop.ts';
import { defaultGates } from './feature-gates.ts';
import { startInstanceStatus, startInterruption } from './interruption/loop.ts';
import { startLint } from './lint/lint.ts';
import { createMeters } from './meters.ts';
import { startCapacityLearning } from './node/learned-capacity.ts';
import { startNodeTermination } from './node/loop.ts';
import {
  startConsolidatable,
  startDrift,
  startExpiration,
  startGarbageCollection,
  startLifecycle,
  startPodEvents,
  startTagging,
} from './nodeclaim/loops.ts';
import {
  startInstanceProfileCollection,
  startLaunchTemplateCollection,
  startNodeClasses,
} from './nodeclass/loop.ts';
import { startNodePools } from './nodepool/loop.ts';
import { startOverlays } from './overlay/loop.ts';
import { OverlayBook } from './overlay/overlay-book.ts';
import type { KarpenterPorts, KarpenterSettings } from './ports.ts';
import { startProvisioning } from './provisioning/loop.ts';
import { startRepair } from './repair/loop.ts';
import { startReservedCapacity } from './reservation/reserved-capacity.ts';

export type { KarpenterPorts, KarpenterSettings } from './ports.ts';

/** A running Karpenter. */
export interface Karpenter {
  readonly observation: Observation;
  /** Whether everything has been listed once, so that it knows what it is talking about. */
  isReady(): boolean;
  /** Whether this process acts; others with the same lease only watch. */
  isLeader(): boolean;
  /** Resolves when the signal was aborted and all work has ended; rejects if a loop broke. */
  readonly done: Promise<void>;
}

/** How long the kube-scheduler may take to bind a pod to a node that is ready for it. */
const bindingPatienceMs = 20_000;

/** Starts every loop. Nothing it does depends on what an earlier process remembered. */
export function startKarpenter(
  ports: KarpenterPorts,
  settings: KarpenterSettings,
  signal: AbortSignal,
): Karpenter {
  const context = createContext(ports, settings);
  const board = new PlanBoard();
  const { cluster, informers } = context;
  const manager = createManager({ log: ports.log, election: electionOf(ports, settings) });
  for (const informer of everyInformer(informers)) manager.addInformer(informer);
  informers.nodeClaims.onChange(({ type, object }) => {
    if (type === 'deleted') cluster.unmarkLeaving(object.metadata.name);
  });
  // Every loop asks for a snapshot first; of all that was listed none is made in one go.
  manager.addPreparation(() => inSlices(cluster.catchingUp(), ports.clock));
  addLoops(manager, context, board);
  return {
    observation: createObservation(context, board),
    isReady: () => cluster.isSynced(),
    isLeader: () => manager.isLeading(),
    done: manager.run(signal),
  };
}

function createContext(ports: KarpenterPorts, settings: KarpenterSettings): Context {
  const { cloud, log, clock } = ports;
  const { ownNodeName, defaultSpread } = settings;
  const gates = { ...defaultGates, ...settings.featureGates };
  const services = defaultSpread !== undefined;
  const informers = createInformers(ports, { ...gates, services });
  const ledger = new ReservationLedger(bindingPatienceMs);
  const types = new InstanceTypeBook({ cloud, log, nodeClasses: informers.nodeClasses });
  const buffers = new BufferBook();
  const overlays = new OverlayBook(() => informers.nodeOverlays?.list() ?? noOverlays);
  const cluster = new ClusterState({
    informers,
    types,
    ledger,
    clock,
    ownNodeName,
    defaultSpread,
    buffers,
    overlays,
  });
  return {
    ports,
    settings,
    informers,
    cluster,
    ledger,
    scarcePools: new ScarcePools(),
    types,
    overlayBook: overlays,
    bufferBook: buffers,
    meters: createMeters(ports.metrics),
  };
}

const noOverlays: readonly NodeOverlay[] = [];

function electionOf({ kube: client, clock, random }: KarpenterPorts, settings: KarpenterSettings) {
  const { leaderElection } = settings;
  return leaderElection === undefined ? undefined : { client, clock, random, ...leaderElection };
}

/** In the order in which they depend on each other's first results; each can be read alone. */
function addLoops(manager: Manager, context: Context, board: PlanBoard): void {
  manager.addLoop('nodeclass', (signal) => {
    // All loops listen to this one signal; the platform would take so many for a leak.
    setMaxListeners(0, signal);
    return startNodeClasses(context, signal);
  });
  manager.addLoop('nodepool', (signal) => startNodePools(context, signal));
  manager.addLoop('lint', (signal) => startLint(context, signal));
  manager.addLoop('nodeclaim.lifecycle', (signal) => startLifecycle(context, signal));
  manager.addLoop('nodeclaim.podevents', (signal) => startPodEvents(context, signal));
  manager.addLoop('nodeclaim.disruption', (signal) => startConsolidatable(context, signal));
  manager.addLoop('nodeclaim.drift', (signal) => startDrift(context, signal));
  manager.addLoop('nodeclaim.expiration', (signal) => startExpiration(context, signal));
  manager.addLoop('nodeclaim.tagging', (signal) => startTagging(context, signal));
  manager.addLoop('nodeclaim.gc', (signal) => startGarbageCollection(context, signal));
  manager.addLoop('node.termination', (signal) => startNodeTermination(context, signal));
  manager.addLoop('node.capacity', (signal) => startCapacityLearning(context, signal));
  if (context.settings.featureGates?.reservedCapacity !== false)
    manager.addLoop('capacityreservation', (signal) => startReservedCapacity(context, signal));
  manager.addLoop('launchtemplate', (signal) => startLaunchTemplateCollection(context, signal));
  manager.addLoop('instanceprofile', (signal) => startInstanceProfileCollection(context, signal));
  manager.addLoop('provisioner', (signal) => {
    // Whoever led before us may have planned since: what we remember of our own plans is void.
    context.ledger.clear();
    return startProvisioning(context, board, signal);
  });
  addGatedLoops(manager, context);
  manager.addLoop('disruption', (signal) => startDisruption(context, signal));
  manager.addLoop('interruption.instancestatus', (signal) => startInstanceStatus(context, signal));
  if (context.settings.featureGates?.nodeRepair === true)
    manager.addLoop('node.health', (signal) => startRepair(context, signal));
  const { interruptions } = context.ports;
  if (interruptions === undefined) return;
  manager.addLoop('interruption', (signal) => startInterruption(context, interruptions, signal));
}

function addGatedLoops(manager: Manager, context: Context): void {
  const { nodeOverlays, capacityBuffers } = context.informers;
  if (nodeOverlays !== undefined)
    manager.addLoop('nodeoverlay', (signal) => startOverlays(context, nodeOverlays, signal));
  if (capacityBuffers !== undefined)
    manager.addLoop('capacitybuffer', (signal) => startBuffers(context, capacityBuffers, signal));
}
