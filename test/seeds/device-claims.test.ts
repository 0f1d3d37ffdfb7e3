import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodePod } from '../../src/api/decode/pod.ts';
import { solve } from '../../src/core/scheduling/solve.ts';
import { aPool, aSnapshot, aType, pods } from '../validator/builders.ts';
import { validatePlan } from '../validator/validate-plan.ts';

const snapshot = aSnapshot({
  pools: [
    aPool({ instanceTypes: [aType({ name: 'g5.xlarge', cpu: 4, memoryGi: 16, onDemandUsd: 1 })] }),
  ],
});

const claiming = decodePod({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'train', namespace: 'default', uid: 'u' },
  spec: {
    containers: [{ name: 'main' }],
    resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }],
  },
});

test('a pod that claims devices is refused with that reason, and others are placed', () => {
  const waiting = [claiming, ...pods(2, { cpuMillis: 500 })];
  const plan = solve(snapshot, waiting);
  expect(validatePlan(snapshot, waiting, plan)).toEqual([]);
  expect(plan.unplaced.map(({ pod, refusal }) => [pod.name, refusal.code])).toEqual([
    ['train', 'unsupported-constraint'],
  ]);
  expect(plan.unplaced[0]?.refusal.sentence).toBe(
    'it uses resourceClaims, which is not supported: ' +
      'no node is ordered for it, since it might not fit there.',
  );
});

test('the manual says so', () => {
  const manual = readFileSync(new URL('../../docs/scheduling.md', import.meta.url), 'utf8');
  const row = manual.split('\n').find((line) => line.startsWith('| `resourceClaims` (DRA)'));
  expect(row).toContain('unsupported-constraint');
  expect(row).toContain('no node is ordered');
});
