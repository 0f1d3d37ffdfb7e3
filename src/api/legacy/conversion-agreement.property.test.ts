import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertObject } from '../conversion/convert.ts';
import type { Plain } from '../conversion/plain.ts';
import { type Value, valueAt } from '../value.ts';
import { modernise } from './modernise.ts';

const duration = fc.constantFrom('720h', '24h', '90m');

/** What a v1beta1 API server has completed: policy, expiry and hop limit are there. */
const disruption = fc.oneof(
  fc.record({ consolidationPolicy: fc.constant('WhenUnderutilized'), expireAfter: duration }),
  fc.record({
    consolidationPolicy: fc.constant('WhenEmpty'),
    consolidateAfter: fc.constantFrom('30s', 'Never'),
    expireAfter: duration,
  }),
);

const nodePool = fc.record({
  apiVersion: fc.constant('karpenter.sh/v1beta1'),
  kind: fc.constant('NodePool'),
  metadata: fc.constant({ name: 'a' }),
  spec: fc.record({
    template: fc.record({
      metadata: fc.constant({ labels: { team: 'blue' } }),
      spec: fc.record({
        requirements: fc.constant([{ key: 'team', operator: 'Exists' }]),
        nodeClassRef: fc.constantFrom(
          { name: 'base' },
          { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'base' },
        ),
      }),
    }),
    disruption,
    limits: fc.constant({ cpu: '10' }),
    weight: fc.integer({ min: 1, max: 100 }),
  }),
});

const ec2NodeClass = fc.record({
  apiVersion: fc.constant('karpenter.k8s.aws/v1beta1'),
  kind: fc.constant('EC2NodeClass'),
  metadata: fc.constant({ name: 'a' }),
  spec: fc
    .record({
      images: fc.constantFrom(
        { amiFamily: 'AL2' },
        { amiFamily: 'AL2023' },
        { amiFamily: 'Bottlerocket' },
        { amiFamily: 'Windows2022' },
        { amiFamily: 'AL2', amiSelectorTerms: [{ id: 'ami-1' }] },
        { amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-1' }] },
        { amiFamily: 'Ubuntu', amiSelectorTerms: [{ id: 'ami-1' }] },
      ),
      owner: fc.constantFrom({ role: 'r' }, { instanceProfile: 'p' }),
      tags: fc.constantFrom({}, { tags: { team: 'blue' } }),
    })
    .map(({ images, owner, tags }) => ({
      subnetSelectorTerms: [{ id: 'subnet-1' }],
      securityGroupSelectorTerms: [{ id: 'sg-1' }],
      metadataOptions: { httpPutResponseHopLimit: 2 },
      ...images,
      ...owner,
      ...tags,
    })),
});

test.each([
  { name: 'NodePools', objects: nodePool, group: 'karpenter.sh' },
  { name: 'EC2NodeClasses', objects: ec2NodeClass, group: 'karpenter.k8s.aws' },
])(
  'files of $name are converted to what the webhook makes of the objects',
  ({ objects, group }) => {
    const aids = { expireAfterOf: () => undefined };
    fc.assert(
      fc.property(objects, (object) => {
        const webhook = convertObject(object as unknown as Plain, `${group}/v1`, aids);
        if (webhook.kind !== 'converted') throw new Error(webhook.message);
        const [[file] = []] = modernise([object as unknown as Value]);
        // The webhook keeps in annotations what it needs for the way back; a file does not go back.
        expect(valueAt(file?.object, ['spec'])).toEqual(webhook.object.spec);
      }),
      { numRuns: 200 },
    );
  },
);
