import type { AwsClients } from '../../adapters/aws/calls/clients.ts';
import { nodeClaims } from '../../api/karpenter/node-claim.ts';
import { nodePools } from '../../api/karpenter/node-pool.ts';
import { pods } from '../../api/kubernetes/core.ts';
import { deployments } from '../../api/kubernetes/workload.ts';
import { isTrue } from '../../api/resource.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { KubeClient } from '../../ports/kube.ts';
import { type Census, leftovers, takeCensus } from './census.ts';
import { deployment } from './manifests.ts';

export interface StoryParts {
  readonly kube: KubeClient;
  readonly aws: AwsClients;
  readonly clock: Clock;
  /** Hears about each chapter as it begins or ends. */
  readonly tell: (sentence: string) => void;
}

export interface StorySettings {
  readonly replicas: number;
  /** How long each chapter may take before the story fails. */
  readonly patienceMs: number;
}

export interface StoryOutcome {
  readonly podsRunning: number;
  readonly nodesLaunched: number;
  readonly left: Census;
  readonly toFirstClaimMs: number;
  readonly toAllRunningMs: number;
  readonly totalMs: number;
}

const pollMs = 500;
const restMs = 2000;
const name = 'nginx';
const storyPods = { namespace: 'default', labelSelector: `app=${name}` };

/**
 * The first story: pods that nobody has room for become nodes, run, and are deleted again; then
 * the nodes go. Ends when nothing that Karpenter made is left, or throws and says what is.
 */
export async function playFirstStory(
  parts: StoryParts,
  settings: StorySettings,
  signal: AbortSignal,
): Promise<StoryOutcome> {
  const { kube, clock, tell } = parts;
  const { replicas } = settings;
  const waiting = { parts, settings, signal };
  const claims = new Set<string>();
  await until(waiting, 'pools that are ready', () => unreadyPools(kube));
  const startMs = clock.nowMs();

  tell(`${replicas} replicas of ${name} appear, and no node has room for them`);
  await kube.create(deployments, deployment(name, replicas));
  await until(waiting, 'the first NodeClaim', () => missingClaims(kube, claims));
  const toFirstClaimMs = clock.nowMs() - startMs;

  await until(waiting, `${replicas} running pods`, async () => {
    await missingClaims(kube, claims);
    return missingPods(kube, replicas);
  });
  const toAllRunningMs = clock.nowMs() - startMs;
  tell(`all ${replicas} pods run, on ${claims.size} new ${claims.size === 1 ? 'node' : 'nodes'}`);

  await sleep(clock, restMs, signal);
  tell('the deployment is deleted, so its nodes are no longer needed');
  await kube.delete(deployments, { name, namespace: 'default' }, { propagation: 'Background' });
  await until(waiting, 'an empty cluster', () => whatIsLeft(parts));
  tell('every node, claim, instance and launch template is gone');

  return {
    podsRunning: replicas,
    nodesLaunched: claims.size,
    left: await takeCensus(kube, parts.aws),
    toFirstClaimMs,
    toAllRunningMs,
    totalMs: clock.nowMs() - startMs,
  };
}

interface Waiting {
  readonly parts: StoryParts;
  readonly settings: StorySettings;
  readonly signal: AbortSignal;
}

/** Looks again and again until nothing is missing; throws with what is missing when patience ends. */
async function until(
  { parts, settings, signal }: Waiting,
  goal: string,
  missing: () => Promise<string | undefined>,
): Promise<void> {
  const deadlineMs = parts.clock.nowMs() + settings.patienceMs;
  for (;;) {
    const lack = await missing();
    if (lack === undefined) return;
    if (parts.clock.nowMs() >= deadlineMs) {
      throw new Error(
        `waited ${settings.patienceMs / 1000} s for ${goal}: ${lack}; a higher --speed boots nodes sooner`,
      );
    }
    await sleep(parts.clock, pollMs, signal);
  }
}

async function unreadyPools(kube: KubeClient): Promise<string | undefined> {
  const { items } = await kube.list(nodePools);
  const unready = items.filter((pool) => !isTrue(pool, 'Ready')).map((pool) => pool.metadata.name);
  return unready.length > 0 ? `${unready.join(', ')} are not ready` : undefined;
}

async function missingClaims(kube: KubeClient, seen: Set<string>): Promise<string | undefined> {
  for (const claim of (await kube.list(nodeClaims)).items) seen.add(claim.metadata.name);
  return seen.size > 0 ? undefined : 'there is none; see the decisions for the reason';
}

async function missingPods(kube: KubeClient, replicas: number): Promise<string | undefined> {
  const { items } = await kube.list(pods, storyPods);
  const running = items.filter((pod) => pod.status?.phase === 'Running').length;
  return running >= replicas ? undefined : `${running} of ${replicas} run`;
}

async function whatIsLeft({ kube, aws }: StoryParts): Promise<string | undefined> {
  const { items } = await kube.list(pods, storyPods);
  if (items.length > 0) return `${items.length} × pod`;
  const left = leftovers(await takeCensus(kube, aws));
  return left.length > 0 ? left.join('; ') : undefined;
}
