import { expect, test } from 'vitest';
import type { NodePool } from '../karpenter/node-pool.ts';
import { nodePoolHash } from './node-pool-hash.ts';

type Template = NodePool['spec']['template'];

function hashOf(template: Omit<Template, 'spec'> & { spec: Partial<Template['spec']> }): string {
  const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' };
  const spec = { requirements: [], nodeClassRef, ...template.spec };
  return nodePoolHash({ spec: { template: { ...template, spec } } });
}

test.each([
  {
    name: 'a pool seen on real clusters',
    template: {
      spec: {
        nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' },
        expireAfter: '336h',
        terminationGracePeriod: '24h0m0s',
      },
    },
    hash: '4012513481623584108',
  },
  {
    name: 'thirty days',
    template: { spec: { expireAfter: '720h' } },
    hash: '12745407319442031341',
  },
  { name: 'no expiry', template: { spec: { expireAfter: 'Never' } }, hash: '7428780003907761376' },
  {
    name: 'everything at once',
    template: {
      metadata: {
        labels: { keyLabel: 'valueLabel', keyLabel2: 'valueLabel2' },
        annotations: { keyAnnotation: 'valueAnnotation', keyAnnotation2: 'valueAnnotation2' },
      },
      spec: {
        taints: [{ key: 'keyvalue1', effect: 'NoExecute' as const }],
        startupTaints: [{ key: 'startupkeyvalue1', effect: 'NoExecute' as const }],
        nodeClassRef: { group: 'karpenter.test.sh', kind: 'TestNodeClass', name: 'default' },
        terminationGracePeriod: '5m',
        expireAfter: '5m',
      },
    },
    hash: '10188347701192299315',
  },
])('the hash of $name is the number that the original writes', ({ template, hash }) => {
  expect(hashOf(template)).toBe(hash);
});

test('the order of taints does not matter, and neither do requirements', () => {
  const a = { key: 'a', effect: 'NoSchedule' as const };
  const b = { key: 'b', effect: 'NoSchedule' as const };
  const requirements = [{ key: 'team', operator: 'Exists' as const }];
  expect(hashOf({ spec: { taints: [a, b] } })).toBe(
    hashOf({ spec: { taints: [b, a], requirements } }),
  );
});

test('a duration in other words is the same duration', () => {
  expect(hashOf({ spec: { expireAfter: '90m' } })).toBe(hashOf({ spec: { expireAfter: '1h30m' } }));
  expect(hashOf({ spec: { expireAfter: '0s' } })).not.toBe(
    hashOf({ spec: { expireAfter: 'Never' } }),
  );
});
