import { describe, expect, test } from 'vitest';
import { keptIn } from './annotations.ts';
import { convertObject } from './convert.ts';
import { objectAt, type Plain } from './plain.ts';

const aids = { expireAfterOf: (name: string) => (name === 'web' ? '48h' : undefined) };

function converted(object: Plain, desired: string): Plain {
  const result = convertObject(object, desired, aids);
  if (result.kind === 'failed') throw new Error(result.message);
  return result.object;
}

const betaPool = {
  apiVersion: 'karpenter.sh/v1beta1',
  kind: 'NodePool',
  metadata: { name: 'web' },
  spec: {
    template: {
      spec: {
        requirements: [],
        kubelet: { maxPods: 50 },
        nodeClassRef: {
          apiVersion: 'karpenter.k8s.aws/v1beta1',
          kind: 'EC2NodeClass',
          name: 'web',
        },
      },
    },
    disruption: { consolidationPolicy: 'WhenUnderutilized', expireAfter: '720h' },
  },
};

const v1Pool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'web' },
  spec: {
    template: {
      spec: {
        requirements: [],
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' },
        expireAfter: '720h',
        terminationGracePeriod: '1h',
      },
    },
    disruption: {
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      consolidateAfter: '5m',
      budgets: [{ nodes: '10%', reasons: ['Drifted'] }, { nodes: '5' }],
    },
  },
};

describe('a pool', () => {
  test('of v1beta1 expires by its template and keeps its kubelet in an annotation', () => {
    const v1 = converted(betaPool, 'karpenter.sh/v1');
    expect(v1.spec).toEqual({
      template: {
        spec: {
          requirements: [],
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' },
          expireAfter: '720h',
        },
      },
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
    });
    expect(objectAt(v1, 'metadata', 'annotations')[keptIn.kubelet]).toBe('{"maxPods":50}');
    expect(converted(v1, 'karpenter.sh/v1beta1')).toEqual(betaPool);
  });

  test('of v1 comes back from v1beta1 with what v1beta1 has no field for', () => {
    const beta = converted(v1Pool, 'karpenter.sh/v1beta1');
    expect(beta.spec).toMatchObject({
      disruption: { consolidationPolicy: 'WhenUnderutilized', expireAfter: '720h' },
    });
    const back = converted(beta, 'karpenter.sh/v1');
    expect(back.spec).toEqual(v1Pool.spec);
  });

  test('that a writer of v1beta1 changed keeps the change', () => {
    const beta = converted(v1Pool, 'karpenter.sh/v1beta1');
    const changed = {
      ...beta,
      spec: {
        ...objectAt(beta, 'spec'),
        disruption: {
          consolidationPolicy: 'WhenEmpty',
          consolidateAfter: '30s',
          expireAfter: '720h',
        },
      },
    };
    const back = objectAt(converted(changed, 'karpenter.sh/v1'), 'spec');
    expect(back.disruption).toMatchObject({
      consolidationPolicy: 'WhenEmpty',
      consolidateAfter: '30s',
    });
    expect(back.template).toEqual(v1Pool.spec.template);
  });

  test('shows the class that it refers to now, not the one it was written with', () => {
    const v1 = converted(betaPool, 'karpenter.sh/v1');
    const template = objectAt(v1, 'spec', 'template', 'spec');
    const nodeClassRef = { ...objectAt(template, 'nodeClassRef'), name: 'other' };
    const moved = { ...v1, spec: { template: { spec: { ...template, nodeClassRef } } } };
    const beta = converted(moved, 'karpenter.sh/v1beta1');
    expect(objectAt(beta, 'spec', 'template', 'spec').nodeClassRef).toEqual({
      kind: 'EC2NodeClass',
      name: 'other',
    });
  });
});

describe('a claim', () => {
  const claim = {
    apiVersion: 'karpenter.sh/v1beta1',
    kind: 'NodeClaim',
    metadata: { name: 'web-1', labels: { 'karpenter.sh/nodepool': 'web' } },
    spec: { requirements: [], nodeClassRef: { name: 'web' } },
  };

  test('expires as its pool says', () => {
    expect(converted(claim, 'karpenter.sh/v1').spec).toMatchObject({ expireAfter: '48h' });
  });

  test('never changes its expiry, whatever its pool says later', () => {
    const v1 = converted(claim, 'karpenter.sh/v1');
    const own = { ...v1, spec: { ...objectAt(v1, 'spec'), expireAfter: 'Never' } };
    const back = converted(converted(own, 'karpenter.sh/v1beta1'), 'karpenter.sh/v1');
    expect(back.spec).toEqual(own.spec);
  });
});

describe('a node class', () => {
  const beta = {
    apiVersion: 'karpenter.k8s.aws/v1beta1',
    kind: 'EC2NodeClass',
    metadata: { name: 'web' },
    spec: {
      amiFamily: 'AL2023',
      role: 'web',
      subnetSelectorTerms: [{ id: 'subnet-1' }],
      securityGroupSelectorTerms: [{ id: 'sg-1' }],
    },
  };

  test('without image terms follows an alias', () => {
    const v1 = converted(beta, 'karpenter.k8s.aws/v1');
    expect(v1.spec).toMatchObject({ amiSelectorTerms: [{ alias: 'al2023@latest' }] });
    expect(objectAt(v1, 'spec')).not.toHaveProperty('amiFamily');
    expect(converted(v1, 'karpenter.k8s.aws/v1beta1')).toEqual(beta);
  });

  test('of Ubuntu becomes AL2 with the disk of Ubuntu, and Ubuntu again', () => {
    const ubuntu = { ...beta, spec: { ...beta.spec, amiFamily: 'Ubuntu' } };
    const v1 = converted(ubuntu, 'karpenter.k8s.aws/v1');
    expect(v1.spec).toMatchObject({
      amiFamily: 'AL2',
      amiSelectorTerms: [{ id: 'ami-placeholder' }],
      blockDeviceMappings: [{ deviceName: '/dev/sda1', rootVolume: true }],
    });
    expect(converted(v1, 'karpenter.k8s.aws/v1beta1')).toEqual(ubuntu);
  });

  test('of today comes back with all its fields', () => {
    const v1 = {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'web' },
      spec: {
        role: 'web',
        subnetSelectorTerms: [{ id: 'subnet-1' }],
        securityGroupSelectorTerms: [{ id: 'sg-1' }],
        amiFamily: 'AL2023',
        amiSelectorTerms: [{ ssmParameter: '/images/web' }],
        kubelet: { maxPods: 50 },
        networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' }],
        blockDeviceMappings: [{ ebs: { snapshotID: 'snap-1', volumeInitializationRate: 100 } }],
      },
    };
    const back = converted(converted(v1, 'karpenter.k8s.aws/v1beta1'), 'karpenter.k8s.aws/v1');
    expect(back).toEqual(v1);
  });
});

test.each([
  { name: 'an unknown version', object: betaPool, desired: 'karpenter.sh/v2' },
  { name: 'another group', object: betaPool, desired: 'karpenter.k8s.aws/v1' },
  {
    name: 'a kind by the name of a method',
    object: { ...betaPool, kind: 'toString' },
    desired: 'karpenter.sh/v1',
  },
  {
    name: 'an annotation that is no JSON',
    object: { ...v1Pool, metadata: { name: 'web', annotations: { [keptIn.kubelet]: '{' } } },
    desired: 'karpenter.sh/v1beta1',
  },
])('$name is refused with a sentence', ({ object, desired }) => {
  expect(convertObject(object, desired, aids)).toMatchObject({ kind: 'failed' });
});

test.each(['{', '[1]', '[{"path":["metadata","name"],"value":"x"}]', '{"__proto__":1}'])(
  'kept fields that somebody has spoilt are ignored: %s',
  (text) => {
    const beta = { ...betaPool, metadata: { name: 'web', annotations: { [keptIn.v1]: text } } };
    const v1 = converted(beta, 'karpenter.sh/v1');
    expect(v1.spec).toEqual(converted(betaPool, 'karpenter.sh/v1').spec);
    expect(objectAt(v1, 'metadata').name).toBe('web');
  },
);
