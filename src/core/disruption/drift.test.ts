import { expect, test } from 'vitest';
import { aType } from '../../../test/validator/builders.ts';
import { requirementsOf } from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';
import { type DriftFacts, poolDrift } from './drift.ts';

const own = {
  [labels.nodePool]: 'web',
  [labels.instanceType]: 'm5.large',
  [labels.zone]: 'a',
  [labels.capacityType]: 'spot',
};
const steady: DriftFacts = {
  labels: own,
  claimStamp: { hash: '1', version: 'v3' },
  poolStamp: { hash: '1', version: 'v3' },
  requirements: requirementsOf([{ key: labels.capacityType, operator: 'In', values: ['spot'] }]),
  ageMs: 7_200_000,
  instanceTypes: [aType({ name: 'm5.large', cpu: 2, memoryGi: 8, spotUsd: 0.03 })],
};

test.each([
  { what: 'nothing has changed', facts: {}, reason: undefined },
  {
    what: 'the template has another hash',
    facts: { poolStamp: { hash: '2', version: 'v3' } },
    reason: 'NodePoolDrifted',
  },
  {
    what: 'the hash is of another version and says nothing',
    facts: { poolStamp: { hash: '2', version: 'v4' } },
    reason: undefined,
  },
  {
    what: 'the claim was never stamped',
    facts: { claimStamp: { hash: undefined, version: undefined } },
    reason: undefined,
  },
  {
    what: 'the pool asks for on-demand now',
    facts: {
      requirements: requirementsOf([
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
      ]),
    },
    reason: 'RequirementsDrifted',
  },
  {
    what: 'the pool asks for a label that the node has not',
    facts: { requirements: requirementsOf([{ key: 'team', operator: 'Exists' }]) },
    reason: 'RequirementsDrifted',
  },
  { what: 'nobody knows what is sold', facts: { instanceTypes: [] }, reason: undefined },
  {
    what: 'its type is missing from the catalogue',
    facts: { instanceTypes: [aType({ name: 'm6i.large', cpu: 2, memoryGi: 8, spotUsd: 0.03 })] },
    reason: 'InstanceTypeNotFound',
  },
  {
    what: 'its type is missing but the node is young',
    facts: {
      ageMs: 60_000,
      instanceTypes: [aType({ name: 'm6i.large', cpu: 2, memoryGi: 8, spotUsd: 0.03 })],
    },
    reason: undefined,
  },
  {
    what: 'its zone is no longer offered',
    facts: {
      instanceTypes: [
        aType({ name: 'm5.large', cpu: 2, memoryGi: 8, spotUsd: 0.03, zones: ['b'] }),
      ],
    },
    reason: 'InstanceTypeNotFound',
  },
])('$what: $reason', ({ facts, reason }) => {
  expect(poolDrift({ ...steady, ...facts })).toBe(reason);
});

test('a reserved node that lives on as an on-demand one has not drifted', () => {
  const instanceTypes = [aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.1 })];
  const reserved = { ...own, [labels.capacityType]: 'reserved' };
  const requirements = requirementsOf([]);
  expect(poolDrift({ ...steady, labels: reserved, requirements, instanceTypes })).toBeUndefined();
});
