import { expect, test } from 'vitest';
import { decodePod } from '../../api/decode/pod.ts';
import type { PodDisruptionBudgetObject } from '../../api/kubernetes/core.ts';
import { whyHeld } from './held-pod.ts';

const pod = decodePod({
  metadata: {
    name: 'web-1',
    namespace: 'default',
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true },
    ],
  },
  spec: { containers: [] },
});

function budget(
  name: string,
  spec: PodDisruptionBudgetObject['spec'],
  status: NonNullable<PodDisruptionBudgetObject['status']> = {},
): PodDisruptionBudgetObject {
  return { metadata: { name, namespace: 'default' }, spec, status };
}

test('a budget that is used up is named with its rule, its health and the owner of the pods', () => {
  const guard = budget('web', { minAvailable: 2 }, { currentHealthy: 2, desiredHealthy: 2 });
  expect(whyHeld(pod, [guard])).toBe(
    'PodDisruptionBudget default/web of StatefulSet web allows no disruption now (minAvailable 2; 2 healthy, 2 required)',
  );
});

test('a budget that can never give way is told apart', () => {
  expect(whyHeld(pod, [budget('web', { maxUnavailable: 0 })])).toBe(
    'PodDisruptionBudget default/web of StatefulSet web can never allow a disruption (maxUnavailable 0)',
  );
});

test('several budgets on one pod are all named', () => {
  expect(whyHeld(pod, [budget('a', {}), budget('b', {})])).toBe(
    'PodDisruptionBudget default/a and PodDisruptionBudget default/b guard StatefulSet web at once, and Kubernetes evicts no pod with more than one budget',
  );
});
