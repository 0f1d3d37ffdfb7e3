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

function launched(): readonly string[] {
  return world.sentences('NodeLaunched');
}

test('a machine that leaves pods less room than was expected is not bought for them again', async () => {
  world = await createTestWorld({ isBare: true });
  const body = { spec: { userData } };
  await world.kube.patch(ec2NodeClasses, { name: 'default' }, { type: 'merge', body });
  await world.applyPool('two-sizes', (spec) => ({
    ...spec,
    template: {
      ...spec.template,
      spec: {
        ...spec.template.spec,
        requirements: [
          {
            key: 'node.kubernetes.io/instance-type',
            operator: 'In',
            values: ['m5.large', 'm5.xlarge'],
          },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
        ],
      },
    },
  }));
  world.startKarpenter();
  await world.applyDeployment('large', 1, large);
  await world.untilRunning(1);
  expect(launched()).toHaveLength(2);
  await world.applyDeployment('another', 1, large);
  await world.untilRunning(2);
  world.crash();
  world.startKarpenter();
  await world.runFor(60_000);
  await world.applyDeployment('third', 1, large);
  await world.untilRunning(3);
  expect(launched().filter((sentence) => sentence.includes('m5.large'))).toHaveLength(1);
});
