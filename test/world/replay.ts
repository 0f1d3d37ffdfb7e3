import { setMaxListeners } from 'node:events';
import { createAwsClients } from '../../src/adapters/aws/calls/clients.ts';
import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { createSeededRandom, fork } from '../../src/adapters/system/seeded-random.ts';
import { createVirtualClock } from '../../src/adapters/system/virtual-clock.ts';
import { startController } from '../../src/cli/compose/controller.ts';
import {
  animateKube,
  animateMachines,
  composeAws,
  composeKube,
} from '../../src/cli/compose/world.ts';
import { playFirstStory, type StoryOutcome } from '../../src/cli/story/first-story.ts';
import { applyPools, seedCluster } from '../../src/cli/story/seed.ts';
import type { Decision } from '../../src/core/explain/decision.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { HttpHandler } from '../../src/ports/http.ts';
import { shippedCatalog } from '../aws-cli/embedded-aws.ts';
import { collectedLog } from './collected-log.ts';

export interface Replay {
  readonly outcome: StoryOutcome;
  /** Every call of the controller to Kubernetes and AWS, with its time and body, one a line. */
  readonly trace: string;
  readonly decisions: readonly Decision[];
  readonly errors: readonly string[];
  readonly virtualMs: number;
}

const clusterName = 'sandbox';
const region = 'us-west-2';
const speed = 20;
const apiServer = { endpoint: 'https://api.internal', certificateAuthority: 'Q0E=' };
const unlimited = { requestsPerSecond: 100_000, burst: 100_000 };

/** The story of `karpenter start --once`, the same code, in this process on a virtual clock. */
export async function replayFirstStory(seed: number): Promise<Replay> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 5, 9));
  const startMs = clock.nowMs();
  const errors: string[] = [];
  const trace: string[] = [];
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const random = createSeededRandom(seed);
  const parts = { clock, random, log: collectedLog('replay', () => true, errors) };
  const aws = composeAws(parts, {
    catalog: shippedCatalog(),
    region,
    clusterName,
    speed,
    apiServer: () => apiServer,
  });
  const kubeHandle = composeKube(parts);
  const kube = createKubeClient({ ...parts, send: kubeHandle, rateLimit: unlimited });
  const clients = createAwsClients({ region, send: aws.handle });
  const running = [
    animateKube(parts, kube, stop.signal),
    animateMachines(parts, { aws, kube, speed }, stop.signal),
  ];
  const story = async (): Promise<{ outcome: StoryOutcome; decisions: readonly Decision[] }> => {
    await seedCluster({ kube, aws: clients, clock, clusterName, region, apiServer }, stop.signal);
    const controller = startController(
      {
        ...parts,
        random: fork(random, 'karpenter'),
        kube: traced(kubeHandle, { clock, name: 'kube', trace }),
        aws: traced(aws.handle, { clock, name: 'aws', trace }),
      },
      { karpenter: { clusterName }, aws: { clusterName, region, interruptionQueue: clusterName } },
      stop.signal,
    );
    running.push(controller.karpenter.done);
    await applyPools(kube, clusterName);
    const outcome = await playFirstStory(
      { kube, aws: clients, clock, tell: () => undefined },
      { replicas: 200, patienceMs: 600_000 },
      stop.signal,
    );
    return { outcome, decisions: controller.decisions.since(0) };
  };
  const { outcome, decisions } = await driven(clock, story());
  const virtualMs = clock.nowMs() - startMs;
  stop.abort(new Error('the replay is over'));
  await clock.runFor(1000);
  await Promise.allSettled(running);
  return { outcome, decisions, errors, virtualMs, trace: trace.join('\n') };
}

/** Runs the virtual clock until the work is done. */
async function driven<T>(
  clock: ReturnType<typeof createVirtualClock>,
  work: Promise<T>,
): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  work.then(settle, settle);
  await clock.runUntil(() => isSettled, 3_600_000);
  return work;
}

function traced(
  handle: HttpHandler,
  parts: { readonly clock: Clock; readonly name: string; readonly trace: string[] },
): HttpHandler {
  return (request) => {
    const body = typeof request.body === 'string' ? request.body : decode(request.body);
    parts.trace.push(
      `${parts.clock.nowMs()} ${parts.name} ${request.method} ${request.path} ${body}`,
    );
    return handle(request);
  };
}

function decode(body: Uint8Array | undefined): string {
  return body === undefined ? '' : new TextDecoder().decode(body);
}
