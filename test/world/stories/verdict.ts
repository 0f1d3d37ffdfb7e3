import { capacityBuffers } from '../../../src/api/karpenter/capacity-buffer.ts';
import { events, type PodObject } from '../../../src/api/kubernetes/core.ts';
import { isTrue } from '../../../src/api/resource.ts';
import type { TestWorld } from '../harness.ts';
import { leftovers } from './leftovers.ts';
import { minuteMs, noise, outlineOf, tooManyEvents } from './quiet.ts';
import type { Story } from './story.ts';

/**
 * Lets the world come to rest and looks at it from outside: one sentence per fault. None means that
 * whoever could have a place has one, nobody waits without a true word about it, nothing is paid for
 * in vain, the limits were kept, all is quiet, and in the end everything goes away.
 */
export async function verdictOf(story: Story): Promise<readonly string[]> {
  const { world, witness } = story;
  // One that was to die soon would die while nobody looks after it.
  world.crashAfterEffects(Infinity);
  if (!world.isAlive()) story.restart();
  await rest(world);
  witness.stop();
  return [
    ...witness.overshoots(),
    ...(story.isGrowing ? witness.boughtInVain() : []),
    ...(await unequalBooks(world)),
    ...(await unexplained(world)),
    ...(await emptyNodes(world)),
    ...(await noise(world)),
    ...(await otherwiseAfterRestart(story)),
    ...(await tooManyEvents(world)),
    ...(await leftovers(world)),
  ];
}

/** Until nothing has changed for a while; the longest pause is that for a machine that never joins. */
async function rest(world: TestWorld): Promise<void> {
  for (let round = 0; round < 10; round++) {
    const before = outlineOf(world);
    await world.runFor(3 * minuteMs);
    const isComing = world.claims().some((claim) => !isTrue(claim, 'Initialized'));
    if (round > 0 && before === outlineOf(world) && !isComing) return;
  }
}

/** Machines, claims and Nodes are the same ones. */
async function unequalBooks(world: TestWorld): Promise<readonly string[]> {
  const idsOf = (list: readonly (string | undefined)[]): string =>
    list
      .map((id) => id?.split('/').at(-1) ?? 'none')
      .sort()
      .join();
  const machines = idsOf(await world.cloud.instances());
  const claims = idsOf(world.claims().map(({ status }) => status?.providerID));
  const nodes = idsOf(world.nodes().map(({ spec }) => spec?.providerID));
  if (machines === claims && claims === nodes) return [];
  return [`machines ${machines}, claims ${claims}, nodes ${nodes}`];
}

/** Pods that wait though nobody told them why. */
async function unexplained(world: TestWorld): Promise<readonly string[]> {
  const { items } = await world.kube.list(events);
  const told = new Set(
    items
      .filter(({ source }) => source?.component === 'karpenter')
      .filter(({ reason }) => reason === 'FailedScheduling')
      .map(({ involvedObject }) => involvedObject.uid),
  );
  const pending = new Map(world.karpenter.observation.pending().map((one) => [one.pod.uid, one]));
  return world
    .workloadPods()
    .filter((pod) => pod.status?.phase === 'Pending')
    .filter(({ metadata: { uid = '' } }) => !told.has(uid) || !pending.get(uid)?.refusal)
    .map(({ metadata: { name, uid = '' }, spec }) => {
      const { waitsFor, refusal } = pending.get(uid) ?? {};
      return `pod ${name} on ${spec.nodeName} waits for ${waitsFor}: ${refusal?.sentence}`;
    });
}

/** Nodes without pods, unless a buffer may want them. */
async function emptyNodes(world: TestWorld): Promise<readonly string[]> {
  const { items } = await world.kube.list(capacityBuffers);
  if (items.length > 0) return [];
  const busy = new Set(
    world
      .workloadPods()
      .filter((pod) => !isOver(pod))
      .map(({ spec }) => spec.nodeName),
  );
  return world
    .nodes()
    .filter(({ metadata }) => !busy.has(metadata.name))
    .map(({ metadata }) => `node ${metadata.name} is empty`);
}

function isOver({ status }: PodObject): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** A process that remembers nothing must find that nothing is left to do. */
async function otherwiseAfterRestart(story: Story): Promise<readonly string[]> {
  const { world } = story;
  const before = outlineOf(world);
  story.restart();
  await world.runFor(3 * minuteMs);
  const after = outlineOf(world);
  return before === after ? [] : [`after a restart ${before} became ${after}`];
}
