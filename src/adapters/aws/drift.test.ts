import { expect, test } from 'vitest';
import { aClaim, aNodeClass, cloudUnderTest } from '../../../test/aws-cli/cloud-under-test.ts';
import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import { annotations, labels } from '../../core/requirements/well-known.ts';

const signal = new AbortController().signal;

const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
} as const;

/** A machine of the class, and the question whether it still is what a changed class asks for. */
async function launched() {
  let looks = 0;
  const { provider, settle, clock } = cloudUnderTest((send) => (request) => {
    if (String(request.body).startsWith('Action=DescribeInstances&')) looks++;
    return send(request);
  });
  const { status } = await settle(provider.resolve(aNodeClass()));
  const nodeClass = { ...aNodeClass(), status: { ...status, conditions: [ready] } };
  const wanted = aClaim([{ key: labels.instanceType, operator: 'In', values: ['m5.large'] }]);
  const machine = await settle(provider.launch(wanted, nodeClass, signal));
  const claim = {
    ...wanted,
    metadata: { ...wanted.metadata, labels: { ...wanted.metadata.labels, ...machine.labels } },
    status: { providerID: machine.providerId, imageID: machine.imageId },
  };
  const drift = (change: Partial<EC2NodeClass>) =>
    settle(provider.drift(claim, { ...nodeClass, ...change }));
  return { drift, status, claim, provider, settle, nodeClass, clock, looks: () => looks };
}

test('a machine that is what its class asks for has not drifted', async () => {
  const { drift } = await launched();
  expect(await drift({})).toBeUndefined();
});

test('another image, group or subnet is drift, and the image is told first', async () => {
  const { drift, status } = await launched();
  const amis = (status.amis ?? []).map((image) => ({ ...image, id: `${image.id}0` }));
  const securityGroups = [...(status.securityGroups ?? []), { id: 'sg-more' }];
  const subnets = [{ id: 'subnet-other', zone: 'ap-east-1a' }];
  expect(await drift({ status: { ...status, amis, securityGroups } })).toBe('AMIDrift');
  expect(await drift({ status: { ...status, securityGroups, subnets } })).toBe(
    'SecurityGroupDrift',
  );
  expect(await drift({ status: { ...status, subnets } })).toBe('SubnetDrift');
});

test('a class that is not resolved says nothing of its machines', async () => {
  const { drift, status } = await launched();
  expect(await drift({ status: { ...status, amis: [] } })).toBeUndefined();
});

test('hashes are compared within one version only', async () => {
  const { provider, settle, nodeClass, claim } = await launched();
  const stamp = (hash: string, version: string) => ({
    [annotations.nodeClassHash]: hash,
    [annotations.nodeClassHashVersion]: version,
  });
  const ask = (ofClaim: Record<string, string>, ofClass: Record<string, string>) =>
    settle(
      provider.drift(
        { ...claim, metadata: { ...claim.metadata, annotations: ofClaim } },
        { ...nodeClass, metadata: { ...nodeClass.metadata, annotations: ofClass } },
      ),
    );
  expect(await ask(stamp('1', 'v5'), stamp('2', 'v5'))).toBe('NodeClassDrift');
  expect(await ask(stamp('1', 'v4'), stamp('2', 'v5'))).toBeUndefined();
  expect(await ask({}, stamp('2', 'v5'))).toBeUndefined();
});

test('a machine that was listed of late is not asked for again, unless it seems to have drifted', async () => {
  const { drift, status, provider, settle, clock, looks } = await launched();
  await settle(provider.list());
  const before = looks();
  await clock.runFor(240_000);
  expect(await drift({})).toBeUndefined();
  expect(looks()).toBe(before);
  const securityGroups = [{ id: 'sg-other' }];
  expect(await drift({ status: { ...status, securityGroups } })).toBe('SecurityGroupDrift');
  expect(looks()).toBe(before + 1);
  await clock.runFor(120_000);
  expect(await drift({})).toBeUndefined();
  expect(looks()).toBe(before + 2);
});
