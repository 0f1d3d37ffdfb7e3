import { ec2NodeClasses } from '../../../src/api/karpenter/ec2-node-class.ts';
import { nodeOverlays } from '../../../src/api/karpenter/node-overlay.ts';
import { type NodePool, nodePools } from '../../../src/api/karpenter/node-pool.ts';
import { type Act, merge, poolOf } from './act.ts';
import type { Chance } from './chance.ts';
import { dedicated, zones } from './rules.ts';

export const createPool: Act = async (world, chance) => {
  const name = poolOf(chance);
  const spec = poolSpec(chance);
  await world.kube.create(nodePools, { metadata: { name }, spec });
  return `create pool ${name} ${JSON.stringify(spec)}`;
};

export const editPool: Act = async (world, chance) => {
  const name = poolOf(chance);
  const spec = poolSpec(chance);
  const body = chance.oneOf<object>(
    { spec: { limits: null } },
    { spec: { limits: limits(chance) } },
    { spec: { weight: chance.between(1, 100) } },
    { spec: { template: { spec: { taints: spec.template.spec.taints ?? null } } } },
    { spec: { template: { spec: { requirements: spec.template.spec.requirements } } } },
  );
  await world.kube.patch(nodePools, { name }, merge(body));
  return `edit pool ${name} ${JSON.stringify(body)}`;
};

export const deletePool: Act = async (world, chance) => {
  const name = poolOf(chance);
  await world.kube.delete(nodePools, { name });
  return `delete pool ${name}`;
};

export const poolAnew: Act = async (world, chance) => {
  const name = poolOf(chance);
  await world.kube.delete(nodePools, { name });
  await world.runFor(chance.oneOf(100, 3_000, 30_000));
  return createPool(world, chance);
};

export const editClass: Act = async (world, chance) => {
  const body = chance.oneOf<object>(
    { spec: { tags: { team: chance.oneOf('a', 'b') } } },
    { spec: { kubelet: { maxPods: chance.oneOf(5, 30, 110) } } },
    { spec: { kubelet: null } },
    { spec: { subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'nowhere' } }] } },
    { spec: { subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'test' } }] } },
  );
  await world.kube.patch(ec2NodeClasses, { name: 'default' }, merge(body));
  return `edit class ${JSON.stringify(body)}`;
};

export const classAnew: Act = async (world, chance) => {
  const name = 'default';
  const before = await world.kube.get(ec2NodeClasses, { name });
  await world.kube.delete(ec2NodeClasses, { name });
  await world.runFor(chance.oneOf(100, 30_000));
  if (before !== undefined)
    await world.kube.create(ec2NodeClasses, { metadata: { name }, spec: before.spec });
  return 'class anew';
};

export const overlay: Act = async (world, chance) => {
  const name = `overlay-${chance.between(0, 1)}`;
  if (chance.oneIn(2)) {
    await world.kube.delete(nodeOverlays, { name });
    return `delete overlay ${name}`;
  }
  const spec = {
    requirements: [
      {
        key: 'karpenter.k8s.aws/instance-category',
        operator: 'In' as const,
        values: [chance.oneOf('c', 'm', 'r')],
      },
    ],
    priceAdjustment: chance.oneOf('-50%', '+100%'),
  };
  await world.kube.create(nodeOverlays, { metadata: { name }, spec });
  return `create overlay ${name} ${JSON.stringify(spec)}`;
};

function poolSpec(chance: Chance): NodePool['spec'] {
  const capacityTypes = chance.oneOf(['spot'], ['on-demand'], ['spot', 'on-demand']);
  return {
    ...(chance.oneIn(2) ? { weight: chance.between(1, 100) } : {}),
    ...(chance.oneIn(2) ? { limits: limits(chance) } : {}),
    template: {
      metadata: { labels: chance.oneIn(2) ? { type: 'karpenter' } : {} },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        ...(chance.oneIn(4) ? { taints: [dedicated] } : {}),
        requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: capacityTypes },
          chance.oneOf(
            { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
            {
              key: 'node.kubernetes.io/instance-type',
              operator: 'In',
              values: ['m5.xlarge', 'c5.large', 'm6g.large'],
            },
          ),
          ...(chance.oneIn(4)
            ? [
                {
                  key: 'topology.kubernetes.io/zone',
                  operator: 'In' as const,
                  values: [chance.oneOf(...zones), chance.oneOf(...zones)],
                },
              ]
            : []),
        ],
      },
    },
    disruption: {
      consolidationPolicy: chance.oneOf('WhenEmpty', 'WhenEmptyOrUnderutilized'),
      consolidateAfter: chance.oneOf('0s', '5s', '60s'),
      budgets: [{ nodes: '100%' }],
    },
  };
}

function limits(chance: Chance): Readonly<Record<string, string>> {
  return chance.oneOf<Readonly<Record<string, string>>>(
    { cpu: String(chance.between(2, 40)) },
    { memory: `${chance.between(8, 100)}Gi` },
    { nodes: String(chance.between(0, 4)) },
    { cpu: '1000' },
  );
}
