import { expect, test } from 'vitest';
import { clusterName, embeddedAws } from '../../../../test/aws-cli/embedded-aws.ts';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import type { Log } from '../../../ports/log.ts';
import { createAwsProvider } from '../provider.ts';

const region = 'ap-east-1';
const silent: Log = { debug: () => {}, info: () => {}, error: () => {}, with: () => silent };
const calm = new AbortController().signal;

async function setUp(total: number) {
  const aws = embeddedAws({ region });
  const start = () =>
    createAwsProvider({
      clients: aws,
      clock: aws.clock,
      log: silent,
      settings: { clusterName, region },
    });
  async function settle<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    work.then(done, done);
    await aws.clock.runUntil(() => isDone, 3_600_000);
    return work;
  }
  const id = aws.endpoint.market.reserve({ instanceType: 'm5.large', zone: 'ap-east-1a', total });
  const nodeClass: EC2NodeClass = {
    metadata: { name: 'default', uid: 'class-1', generation: 1 },
    spec: {
      subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': clusterName } }],
      securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': clusterName } }],
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      role: `KarpenterNodeRole-${clusterName}`,
      capacityReservationSelectorTerms: [{ id }],
    },
  };
  const { status } = await settle(start().resolve(nodeClass));
  const reservation = {
    id,
    ownerID: '123456789012',
    availabilityZone: 'ap-east-1a',
    instanceType: 'm5.large',
    instanceMatchCriteria: 'open' as const,
    reservationType: 'default' as const,
    state: 'active' as const,
  };
  const ready = {
    type: 'Ready',
    status: 'True' as const,
    reason: 'Ready',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: 1,
  };
  const resolved: EC2NodeClass = {
    ...nodeClass,
    status: { ...status, capacityReservations: [reservation], conditions: [ready] },
  };
  return { aws, start, settle, id, nodeClass: resolved };
}

function aClaim(uid: string): NodeClaim {
  return {
    metadata: { name: `pool-${uid}`, uid, labels: { [labels.nodePool]: 'pool' } },
    spec: {
      requirements: [{ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m5'] }],
      resources: { requests: { cpu: '1' } },
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    },
  };
}

test('reserved capacity is used first, until it is used up', async () => {
  const { start, settle, nodeClass, id } = await setUp(2);
  const provider = start();
  const kinds: string[] = [];
  for (const uid of ['1', '2', '3']) {
    const launched = await settle(provider.launch(aClaim(uid), nodeClass, calm));
    kinds.push(launched.capacityType);
    if (launched.capacityType === 'reserved')
      expect(launched.labels).toMatchObject({
        'karpenter.k8s.aws/capacity-reservation-id': id,
        'karpenter.k8s.aws/capacity-reservation-type': 'default',
      });
  }
  expect(kinds).toEqual(['reserved', 'reserved', 'spot']);
});

test('another life counts what is left anew', async () => {
  const { start, settle, nodeClass } = await setUp(1);
  await settle(start().launch(aClaim('1'), nodeClass, calm));
  const types = await settle(start().instanceTypes(nodeClass));
  const reserved = types
    .flatMap((type) => type.offerings)
    .filter((offering) => offering.capacityType === 'reserved');
  expect(reserved).toMatchObject([{ isAvailable: false, reservation: { left: 0 } }]);
});
