import { afterEach, expect, test } from 'vitest';
import { ec2NodeClasses } from '../../src/api/karpenter/ec2-node-class.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world.close());

/** Nobody but the machine reads what somebody's own user data keeps for the system. */
const userData = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      systemReserved:
        memory: 2Gi
`;

const large = withPodSpec({
  containers: [{ name: 'c', image: 'i', resources: { requests: { memory: '6Gi' } } }],
});

const onDemand = {
  key: 'karpenter.sh/capacity-type',
  operator: 'In',
  values: ['on-demand'],
} as const;

function launched(): readonly string[] {
  return world.sentences('NodeLaunched');
}

/** A class with that user data, and a pool of these types. */
async function frugalWorld(...types: readonly string[]): Promise<void> {
  world = await createTestWorld({ isBare: true });
  await patchClass({ userData });
  await world.applyPool('some-types', (spec) => ({
    ...spec,
    template: {
      ...spec.template,
      spec: {
        ...spec.template.spec,
        requirements: [
          { key: 'node.kubernetes.io/instance-type', operator: 'In', values: types },
          onDemand,
        ],
      },
    },
  }));
  world.startKarpenter();
}

async function patchClass(spec: object): Promise<void> {
  const body = { spec };
  await world.kube.patch(ec2NodeClasses, { name: 'default' }, { type: 'merge', body });
}

test('a machine that leaves pods less room than was expected is not bought for them again', async () => {
  await frugalWorld('m5.large', 'm5.xlarge');
  await world.applyDeployment('large', 1, large);
  await world.untilRunning(1);
  expect(launched()).toHaveLength(2);
  await world.applyDeployment('another', 1, large);
  await world.untilRunning(2);
  world.crash();
  await world.applyDeployment('third', 1, large);
  world.startKarpenter();
  await world.untilRunning(3);
  expect(launched().filter((sentence) => sentence.includes('m5.large'))).toHaveLength(1);
});

test('nor are other types of its size bought to find out the same', async () => {
  await frugalWorld('m5.large', 'm5a.large', 'm5d.large', 'm6i.large', 'm7i.large', 'm5.xlarge');
  await world.applyDeployment('large', 1, large);
  await world.untilRunning(1);
  expect(launched()).toHaveLength(2);
});

test('while nothing is known of a class its nodes are not looked at again and again', async () => {
  await frugalWorld('m5.large', 'm5.xlarge');
  await world.applyDeployment('large', 1, large);
  await world.untilRunning(1);
  const nodeClass = await world.kube.get(ec2NodeClasses, { name: 'default' });
  await patchClass({ subnetSelectorTerms: [{ tags: { nobody: 'has-this' } }] });
  await world.runFor(60_000);
  world.crash();
  world.startKarpenter();
  await world.runFor(60_000);
  const before = looks();
  expect(before).toBeGreaterThan(0);
  await world.runFor(600_000);
  // The kubelet tells of itself every five minutes.
  expect(looks() - before).toBeLessThan(10);

  await patchClass({ subnetSelectorTerms: nodeClass?.spec.subnetSelectorTerms });
  await world.applyDeployment('another', 1, large);
  await world.untilRunning(2);
  expect(launched().filter((sentence) => sentence.includes('m5.large'))).toHaveLength(1);
});

/** How often the loop that learns from nodes has run. */
function looks(): number {
  const line =
    /^controller_runtime_reconcile_total\{controller="providers.instancetype.capacity",.*\} (\d+)$/gm;
  return [...world.metrics().matchAll(line)].reduce((sum, [, times]) => sum + Number(times), 0);
}
