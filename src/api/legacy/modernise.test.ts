import { describe, expect, test } from 'vitest';
import type { Value } from '../value.ts';
import { applyEdits } from './edit.ts';
import { modernise } from './modernise.ts';

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'base' };
const network = {
  subnetSelectorTerms: [{ id: 'subnet-1' }],
  securityGroupSelectorTerms: [{ id: 'sg-1' }],
};

function pool(spec: object, version = 'v1'): Value {
  return object('karpenter.sh', version, 'NodePool', spec);
}

function nodeClass(spec: object, version = 'v1'): Value {
  return object('karpenter.k8s.aws', version, 'EC2NodeClass', { ...network, role: 'r', ...spec });
}

function object(group: string, version: string, kind: string, spec: object): Value {
  return { apiVersion: `${group}/${version}`, kind, metadata: { name: 'a' }, spec } as Value;
}

function specOf(document: Value): unknown {
  const [[first] = []] = modernise([document]);
  return (first?.object as { readonly spec?: unknown } | undefined)?.spec;
}

function questionsOf(document: Value): readonly string[] {
  return modernise([document])
    .flat()
    .flatMap(({ changes, added }) => [...changes, ...(added?.changes ?? [])])
    .flatMap(({ question }) => question ?? []);
}

const template = { spec: { requirements: [], nodeClassRef } };

describe('a NodePool', () => {
  test.each([
    {
      name: 'moves expiry into the template',
      before: { template, disruption: { expireAfter: '24h', consolidateAfter: '1m' } },
      after: {
        template: { spec: { ...template.spec, expireAfter: '24h' } },
        disruption: { consolidateAfter: '1m' },
      },
    },
    {
      name: 'renames the policy and says how long to wait',
      before: { template, disruption: { consolidationPolicy: 'WhenUnderutilized' } },
      after: {
        template,
        disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
      },
    },
    {
      name: 'completes a class that is named alone',
      before: { template: { spec: { requirements: [], nodeClassRef: { name: 'base' } } } },
      after: { template },
    },
    {
      name: 'takes the group of a class from its version',
      before: {
        template: {
          spec: {
            requirements: [],
            nodeClassRef: { apiVersion: 'other.example/v1', kind: 'Other', name: 'base' },
          },
        },
      },
      after: {
        template: {
          spec: {
            requirements: [],
            nodeClassRef: { group: 'other.example', kind: 'Other', name: 'base' },
          },
        },
      },
    },
    {
      name: 'drops a reason that is none when the right one is there',
      before: budgets(['Underutilized', 'UnderutilizedGPU']),
      after: budgets(['Underutilized']),
    },
    {
      name: 'puts the right reason in place of one that is none',
      before: budgets(['Empty', 'UnderutilizedGPU']),
      after: budgets(['Empty', 'Underutilized']),
    },
    {
      name: 'loses an affinity that it never had',
      before: { template: { spec: { ...template.spec, affinity: { nodeAffinity: {} } } } },
      after: { template },
    },
    {
      name: 'renews annotations of its nodes',
      before: {
        template: {
          ...template,
          metadata: { annotations: { 'karpenter.sh/do-not-consolidate': 'true' } },
        },
      },
      after: {
        template: {
          ...template,
          metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
        },
      },
    },
  ])('$name', ({ before, after }) => {
    expect(specOf(pool(before))).toEqual(after);
  });

  test('of v1 that is in order stays as it is', () => {
    const [[first] = []] = modernise([pool({ template })]);
    expect(first?.changes).toEqual([]);
  });
});

function budgets(reasons: readonly string[]): object {
  return { template, disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1', reasons }] } };
}

describe('an EC2NodeClass', () => {
  test.each([
    { family: 'AL2', terms: undefined, after: { amiSelectorTerms: [{ alias: 'al2@latest' }] } },
    {
      family: 'BOTTLEROCKET',
      terms: undefined,
      after: { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] },
    },
    {
      family: 'BOTTLEROCKET',
      terms: [{ id: 'ami-1' }],
      after: { amiFamily: 'Bottlerocket', amiSelectorTerms: [{ id: 'ami-1' }] },
    },
    {
      family: 'UBUNTU',
      terms: [{ id: 'ami-1' }],
      after: {
        amiFamily: 'AL2',
        amiSelectorTerms: [{ id: 'ami-1' }],
        blockDeviceMappings: [
          {
            deviceName: '/dev/sda1',
            rootVolume: true,
            ebs: { encrypted: true, volumeSize: '20Gi', volumeType: 'gp3' },
          },
        ],
      },
    },
  ])('of family $family with terms $terms', ({ family, terms, after }) => {
    const spec = { amiFamily: family, ...(terms === undefined ? {} : { amiSelectorTerms: terms }) };
    expect(specOf(nodeClass(spec))).toEqual({ ...network, role: 'r', ...after });
  });

  test.each([
    {
      name: 'a Windows of no year',
      spec: { amiFamily: 'WINDOWS' },
      asks: /Windows2019, Windows2022/,
    },
    { name: 'Ubuntu without images', spec: { amiFamily: 'Ubuntu' }, asks: /which Ubuntu images/ },
    { name: 'nothing to boot', spec: {}, asks: /which images do nodes boot/ },
    { name: 'no role', spec: { amiFamily: 'AL2', role: undefined }, asks: /which IAM role/ },
  ])('with $name asks and invents nothing', ({ spec, asks }) => {
    const document = JSON.parse(JSON.stringify(nodeClass(spec))) as Value;
    expect(questionsOf(document)).toEqual([expect.stringMatching(asks)]);
  });

  test.each([
    { selector: { team: 'blue' }, terms: [{ tags: { team: 'blue' } }] },
    {
      selector: { team: 'blue,red' },
      terms: [{ tags: { team: 'blue' } }, { tags: { team: 'red' } }],
    },
    {
      selector: { 'aws-ids': 'subnet-1,subnet-2' },
      terms: [{ id: 'subnet-1' }, { id: 'subnet-2' }],
    },
    { selector: { discovery: true }, terms: [{ tags: { discovery: 'true' } }] },
    { selector: JSON.parse('{"__proto__": "x,y"}') as object, terms: undefined },
  ])('selects by $selector through terms', ({ selector, terms }) => {
    const before = { amiSelectorTerms: [{ alias: 'al2023@latest' }], subnetSelector: selector };
    const { subnetSelectorTerms: _, ...rest } = network;
    const document = object('karpenter.k8s.aws', 'v1', 'EC2NodeClass', {
      ...rest,
      role: 'r',
      ...before,
    });
    const spec = specOf(document) as { subnetSelectorTerms?: readonly object[] };
    if (terms === undefined)
      expect(JSON.stringify(spec.subnetSelectorTerms)).toContain('__proto__');
    else expect(spec.subnetSelectorTerms).toEqual(terms);
  });

  test('of v1beta1 keeps the hop limit that it had by default', () => {
    const spec = specOf(nodeClass({ amiSelectorTerms: [{ alias: 'al2023@latest' }] }, 'v1beta1'));
    expect(spec).toMatchObject({ metadataOptions: { httpPutResponseHopLimit: 2 } });
  });
});

describe('a Provisioner', () => {
  const provisioner = (spec: object): Value =>
    object('karpenter.sh', 'v1alpha5', 'Provisioner', spec);

  test('that removed no nodes still removes none', () => {
    expect(specOf(provisioner({ providerRef: { name: 'base' } }))).toMatchObject({
      template: { spec: { nodeClassRef, expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    });
  });

  test('keeps its limits, labels and requirements in their new places', () => {
    const requirements = [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }];
    const spec = specOf(
      provisioner({
        providerRef: { name: 'base' },
        labels: { team: 'blue' },
        limits: { resources: { cpu: 10 } },
        requirements,
        ttlSecondsAfterEmpty: 30,
        ttlSecondsUntilExpired: 60,
      }),
    );
    expect(spec).toMatchObject({
      limits: { cpu: 10 },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
      template: {
        metadata: { labels: { team: 'blue' } },
        spec: { expireAfter: '60s', requirements: expect.arrayContaining(requirements) },
      },
    });
  });

  test('with an inline provider becomes a pool and a class', () => {
    const provider = {
      subnetSelector: { a: 'b' },
      securityGroupSelector: { a: 'b' },
      instanceProfile: 'p',
    };
    const [[first] = []] = modernise([provisioner({ provider })]);
    expect(first?.added?.object).toMatchObject({
      kind: 'EC2NodeClass',
      metadata: { name: 'a' },
      spec: { instanceProfile: 'p', amiSelectorTerms: [{ alias: 'al2@latest' }] },
    });
  });
});

describe('kubelet settings of a pool', () => {
  const kubelet = { maxPods: 20 };
  const withKubelet = pool({ template: { spec: { ...template.spec, kubelet } } }, 'v1beta1');
  const base = object('karpenter.k8s.aws', 'v1', 'EC2NodeClass', {
    ...network,
    role: 'r',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
  });
  const named = { ...(base as object), metadata: { name: 'base' } } as Value;

  test('go to the class where it is at hand', () => {
    const [, [target] = []] = modernise([withKubelet, named]);
    expect(target?.object).toMatchObject({ spec: { kubelet } });
  });

  test('become a question where it is not', () => {
    expect(questionsOf(withKubelet)).toEqual([expect.stringContaining('{"maxPods":20}')]);
  });
});

test('edits taken one by one give the object that comes with them', () => {
  const document = pool({ template, disruption: { expireAfter: '1h' }, extra: 1 }, 'v1beta1');
  const [[first] = []] = modernise([document]);
  const edits = first?.changes.flatMap((change) => change.edits) ?? [];
  expect(applyEdits(document, edits)).toEqual(first?.object);
});

test('a pod template keeps its wish not to be disturbed, under its new name', () => {
  const annotations = { 'karpenter.sh/do-not-evict': 'true' };
  const [[first] = []] = modernise([
    object('apps', 'v1', 'Deployment', { template: { metadata: { annotations } } }),
  ]);
  expect(first?.object).toMatchObject({
    spec: { template: { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } } },
  });
});
