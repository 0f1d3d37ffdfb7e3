import { type AwsClients, createAwsClients } from '../../adapters/aws/calls/clients.ts';
import { createKubeClient } from '../../adapters/kube/client.ts';
import type { VirtualClock } from '../../adapters/system/virtual-clock.ts';
import type { HttpHandler } from '../../ports/http.ts';
import type { KubeClient } from '../../ports/kube.ts';
import type { AwsEndpoint } from '../../world/aws/endpoint.ts';
import { stopSwitch } from '../signals.ts';
import { seedCluster } from '../story/seed.ts';
import {
  animateKube,
  animateMachines,
  composeAws,
  composeKube,
  type WorldParts,
  type WorldSettings,
} from './world.ts';

/** The embedded world in this process on a virtual clock: no sockets, and nobody really waits. */
export interface VirtualWorld {
  readonly kube: KubeClient;
  readonly aws: AwsEndpoint;
  /** The cloud as its owner reaches it, past Karpenter. */
  readonly awsClients: AwsClients;
  /** The API server, for clients of one's own. */
  readonly kubeHandle: HttpHandler;
  /** Aborted when the world is closed. */
  readonly signal: AbortSignal;
  /** Builds the cluster that `karpenter start` begins with. */
  seed(): Promise<void>;
  /** Lets time pass until the work is done. Rejects as the work does, or after an hour. */
  drive<T>(work: Promise<T>): Promise<T>;
  /** Ends everything, and rejects if a part of the world, or one of the others, had broken. */
  close(others?: readonly Promise<unknown>[]): Promise<void>;
}

const apiServer = { endpoint: 'https://api.internal', certificateAuthority: 'Q0E=' };
/** The world's own actors stand for many processes; one client's limit would slow them all. */
const unlimited = { requestsPerSecond: 100_000, burst: 100_000 };
const patienceMs = 3_600_000;

export function openVirtualWorld(
  parts: WorldParts & { readonly clock: VirtualClock },
  settings: Omit<WorldSettings, 'apiServer'>,
): VirtualWorld {
  const { clock } = parts;
  const { clusterName, region, speed } = settings;
  const aws = composeAws(parts, { ...settings, apiServer: () => apiServer });
  const kubeHandle = composeKube(parts);
  const awsClients = createAwsClients({ region, send: aws.handle });
  const kube = createKubeClient({ ...parts, send: kubeHandle, rateLimit: unlimited });
  const stop = stopSwitch();
  const { signal } = stop;
  const running = [
    animateKube(parts, kube, signal),
    animateMachines(parts, { aws, kube, speed }, signal),
  ];
  const seeding = { kube, aws: awsClients, clock, clusterName, region, apiServer };
  return {
    ...{ kube, aws, awsClients, kubeHandle, signal },
    seed: () => drive(clock, seedCluster(seeding, signal)),
    drive: (work) => drive(clock, work),
    close: async (others = []) => {
      stop.abort(new Error('the world is closing'));
      await clock.runFor(60_000);
      await Promise.all([...running, ...others]);
    },
  };
}

async function drive<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const settle = (): void => {
    isDone = true;
  };
  work.then(settle, settle);
  if (!(await clock.runUntil(() => isDone, patienceMs)))
    throw new Error(`after ${patienceMs / 60_000} minutes of its time the world was still at work`);
  return work;
}
