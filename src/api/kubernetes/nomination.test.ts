import { expect, test } from 'vitest';
import type { FieldOwner } from '../resource.ts';
import type { PodObject } from './core.ts';
import { expectedNodeOf, isPromisedNode } from './nomination.ts';

const ours: FieldOwner = {
  manager: 'karpenter-nomination',
  operation: 'Apply',
  subresource: 'status',
  fieldsV1: { 'f:status': { 'f:nominatedNodeName': {} } },
};

function pod(nominatedNodeName: string, managedFields: readonly FieldOwner[]): PodObject {
  return {
    metadata: { name: 'p', managedFields },
    spec: { containers: [] },
    status: { nominatedNodeName },
  };
}

test.each([
  { whose: 'ours', owners: [ours], expected: 'n', isPromised: false },
  { whose: 'nobody’s', owners: [], expected: undefined, isPromised: true },
  {
    whose: 'that of another manager',
    owners: [{ ...ours, manager: 'kube-scheduler', operation: 'Update' }],
    expected: undefined,
    isPromised: true,
  },
  {
    whose: 'no longer ours, though we own something else',
    owners: [{ ...ours, fieldsV1: { 'f:status': { 'f:reason': {} } } }],
    expected: undefined,
    isPromised: true,
  },
])('a nomination that is $whose', ({ owners, expected, isPromised }) => {
  const nominated = pod('n', owners);
  expect(expectedNodeOf(nominated)).toBe(expected);
  expect(isPromisedNode(nominated)).toBe(isPromised);
});

test('a pod without a nomination is neither expected nor promised', () => {
  expect(expectedNodeOf(pod('', [ours]))).toBeUndefined();
  expect(isPromisedNode(pod('', []))).toBe(false);
});
