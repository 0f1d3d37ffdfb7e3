import { capacityBuffers } from '../../../src/api/karpenter/capacity-buffer.ts';
import { ec2NodeClasses } from '../../../src/api/karpenter/ec2-node-class.ts';
import { nodePools } from '../../../src/api/karpenter/node-pool.ts';
import { deployments, jobs, statefulSets } from '../../../src/api/kubernetes/workload.ts';
import type { KubeObject, Resource } from '../../../src/api/resource.ts';
import type { TestWorld } from '../harness.ts';
import { minuteMs } from './quiet.ts';

/** What is still there long after everything was deleted. */
export async function leftovers(world: TestWorld): Promise<readonly string[]> {
  const { kube } = world;
  for (const kind of [deployments, statefulSets, jobs, capacityBuffers, nodePools, ec2NodeClasses])
    await deleteAll(world, kind);
  const isEmpty = (): boolean => world.claims().length + world.nodes().length === 0;
  await world.clock.runUntil(isEmpty, 20 * minuteMs);
  await world.runFor(2 * minuteMs);
  const left = {
    pods: world.workloadPods().length,
    claims: world.claims().length,
    nodes: world.nodes().length,
    machines: (await world.cloud.instances()).length,
    launchTemplates: (await world.cloud.launchTemplates()).length,
    pools: (await kube.list(nodePools)).items.length,
    classes: (await kube.list(ec2NodeClasses)).items.length,
  };
  const isClean = Object.values(left).every((count) => count === 0);
  return isClean ? [] : [`left in the end: ${JSON.stringify(left)}\n${world.picture()}`];
}

async function deleteAll({ kube }: TestWorld, kind: Resource<KubeObject>): Promise<void> {
  const { items } = await kube.list(kind);
  for (const { metadata } of items) {
    const { name, namespace } = metadata;
    if (namespace === undefined || namespace === 'default')
      await kube.delete(kind, { name, namespace }, { propagation: 'Background' });
  }
}
