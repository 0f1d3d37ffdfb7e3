import { createSeededRandom, fork } from '../../src/adapters/system/seeded-random.ts';
import { createVirtualClock } from '../../src/adapters/system/virtual-clock.ts';
import { startController } from '../../src/cli/compose/controller.ts';
import { openVirtualWorld } from '../../src/cli/compose/virtual-world.ts';
import { playFirstStory, type StoryOutcome } from '../../src/cli/story/first-story.ts';
import { applyPools } from '../../src/cli/story/seed.ts';
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

/** The story of `karpenter start --once`, the same code, in this process on a virtual clock. */
export async function replayFirstStory(seed: number): Promise<Replay> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 5, 9));
  const startMs = clock.nowMs();
  const errors: string[] = [];
  const trace: string[] = [];
  const random = createSeededRandom(seed);
  const parts = { clock, random, log: collectedLog('replay', () => true, errors) };
  const world = openVirtualWorld(parts, { catalog: shippedCatalog(), region, clusterName, speed });
  const { kube, awsClients, signal } = world;
  await world.seed();
  const controller = startController(
    {
      ...parts,
      random: fork(random, 'karpenter'),
      kube: traced(world.kubeHandle, { clock, name: 'kube', trace }),
      aws: traced(world.aws.handle, { clock, name: 'aws', trace }),
    },
    { karpenter: { clusterName }, aws: { clusterName, region, interruptionQueue: clusterName } },
    signal,
  );
  const story = async (): Promise<StoryOutcome> => {
    await applyPools(kube, clusterName);
    return playFirstStory(
      { kube, aws: awsClients, clock, tell: () => undefined },
      { replicas: 200, patienceMs: 600_000 },
      signal,
    );
  };
  const outcome = await world.drive(story());
  const decisions = controller.decisions.since(0);
  const virtualMs = clock.nowMs() - startMs;
  const calls = trace.join('\n');
  await world.close([controller.karpenter.done]);
  return { outcome, decisions, errors, virtualMs, trace: calls };
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
