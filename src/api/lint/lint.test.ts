import { describe, expect, test } from 'vitest';
import { requirementsOf } from '../../core/requirements/requirements.ts';
import type { Value } from '../value.ts';
import { lintReferences, lintShadows } from './between-objects.ts';
import type { LintInstanceType } from './knowledge.ts';
import { lintNodeClass } from './node-class.ts';
import { lintNodePool } from './node-pool.ts';
import { strangeFields } from './strange-field.ts';

const aws = 'karpenter.k8s.aws';

function type(name: string, cpu: number): LintInstanceType {
  const term = (key: string, values: readonly string[]) => ({
    key,
    operator: 'In' as const,
    values,
  });
  const requirements = requirementsOf([
    term('node.kubernetes.io/instance-type', [name]),
    term(`${aws}/instance-cpu`, [String(cpu)]),
    term(`${aws}/instance-size`, [name.split('.')[1] ?? '']),
    term('kubernetes.io/arch', ['amd64']),
    term('karpenter.sh/capacity-type', ['spot', 'on-demand']),
  ]);
  return { name, requirements };
}

const instanceTypes = ['a', 'b', 'c', 'd', 'e'].map((family, index) =>
  type(`${family}1.large`, 2 + index),
);

interface PoolParts {
  readonly name?: string;
  readonly requirements?: readonly object[];
  readonly budgets?: readonly object[];
  readonly limits?: object;
  readonly weight?: number;
  readonly taints?: readonly object[];
}

function pool(parts: PoolParts): Value {
  const {
    name = 'a',
    requirements = [onDemand],
    budgets,
    limits = { cpu: 100 },
    weight,
    taints,
  } = parts;
  const nodeClassRef = { group: aws, kind: 'EC2NodeClass', name: 'base' };
  return JSON.parse(
    JSON.stringify({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name },
      spec: {
        template: { spec: { requirements, nodeClassRef, taints } },
        disruption: budgets && { consolidateAfter: '0s', budgets },
        limits,
        weight,
      },
    }),
  ) as Value;
}

function need(key: string, operator: string, ...values: readonly string[]): object {
  return { key, operator, values };
}

const onDemand = need('karpenter.sh/capacity-type', 'In', 'on-demand');
const spot = need('karpenter.sh/capacity-type', 'In', 'spot');

describe('lintNodePool', () => {
  test.each<{
    readonly name: string;
    readonly parts: PoolParts;
    readonly codes: readonly string[];
  }>([
    { name: 'an ordinary pool', parts: {}, codes: [] },
    { name: 'thousandths as a limit', parts: { limits: { cpu: '1000m' } }, codes: ['KTS003'] },
    {
      name: 'a limit below the smallest machine',
      parts: { limits: { cpu: 1 } },
      codes: ['KTS003'],
    },
    { name: 'no limits', parts: { limits: {} }, codes: ['KTS019'] },
    { name: 'spot of any size', parts: { requirements: [spot] }, codes: ['KTS004'] },
    {
      name: 'spot of a bounded size',
      parts: { requirements: [spot, need(`${aws}/instance-cpu`, 'Lt', '17')] },
      codes: [],
    },
    {
      name: 'spot from two types',
      parts: { requirements: [spot, need(`${aws}/instance-cpu`, 'Lt', '4')] },
      codes: ['KTS018'],
    },
    {
      name: 'a machine that nobody sells',
      parts: {
        requirements: [onDemand, need('node.kubernetes.io/instance-type', 'In', 'a1.lage')],
      },
      codes: ['KTS016', 'KTS008'],
    },
    {
      name: 'requirements that exclude each other',
      parts: {
        requirements: [
          onDemand,
          need(`${aws}/instance-cpu`, 'Gt', '5'),
          need(`${aws}/instance-cpu`, 'Lt', '6'),
        ],
      },
      codes: ['KTS008'],
    },
    { name: 'a budget of none', parts: { budgets: [{ nodes: '0' }] }, codes: ['KTS005'] },
    {
      name: 'a budget of none at night',
      parts: {
        budgets: [{ nodes: '10%' }, { nodes: '0', schedule: '0 20 * * *', duration: '8h' }],
      },
      codes: [],
    },
    {
      name: 'a budget of none that never ends',
      parts: { budgets: [{ nodes: '10%' }, { nodes: '0', schedule: '@daily', duration: '24h' }] },
      codes: ['KTS005'],
    },
    {
      name: 'a schedule that cannot be read',
      parts: { budgets: [{ nodes: '1', schedule: '0 9 * * 1-9', duration: '8h' }] },
      codes: ['KTS005'],
    },
    {
      name: 'two windows that nearly meet',
      parts: {
        budgets: [
          { nodes: '10%' },
          { nodes: '0', schedule: '0 8 * * *', duration: '4h' },
          { nodes: '0', schedule: '0 13 * * *', duration: '4h' },
        ],
      },
      codes: ['KTS006'],
    },
    {
      name: 'hours that are each half covered',
      parts: {
        budgets: [{ nodes: '10%' }, { nodes: '0', schedule: '0 9-17 * * *', duration: '30m' }],
      },
      codes: ['KTS006'],
    },
    {
      name: 'an hour for maintenance each day',
      parts: {
        budgets: [{ nodes: '10%' }, { nodes: '0', schedule: '0 3 * * *', duration: '23h' }],
      },
      codes: [],
    },
    {
      name: 'a reason without a budget',
      parts: { budgets: [{ nodes: '10%', reasons: ['Empty', 'Underutilized'] }] },
      codes: ['KTS007'],
    },
  ])('$name: $codes', ({ parts, codes }) => {
    expect(lintNodePool(pool(parts), { instanceTypes }).map(({ code }) => code)).toEqual(codes);
  });

  test('names the requirement that removes the last type', () => {
    const requirements = [
      need('kubernetes.io/arch', 'In', 'amd64'),
      onDemand,
      need(`${aws}/instance-size`, 'NotIn', 'large'),
      need(`${aws}/instance-cpu`, 'Gt', '1'),
    ];
    const found = lintNodePool(pool({ requirements }), { instanceTypes });
    expect(found.find(({ code }) => code === 'KTS008')).toMatchObject({
      path: ['spec', 'template', 'spec', 'requirements', 2],
      sentence: expect.stringContaining('instance-size NotIn [large] removes the last 5 of 5'),
    });
  });

  test('names the field that was meant', () => {
    const odd = { ...(pool({}) as { spec: object }) };
    const spec = { ...odd.spec, limitss: { cpu: 1 } };
    const [found] = lintNodePool({ ...odd, spec } as unknown as Value, {});
    expect(found).toMatchObject({ code: 'KTS002', fix: expect.stringContaining('limits') });
  });

  test('fields below a plain value are to be removed, and no names are promised', () => {
    const spec = { weight: { value: 3 }, template: { spec: {} } };
    const odd: Value = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', spec };
    const found = strangeFields(odd);
    expect(found.map(({ path, fix }) => [path.join('.'), fix])).toEqual([
      ['spec.weight.value', 'remove it'],
    ]);
  });

  test('points old spellings to convert', () => {
    const old = { ...(pool({}) as object), apiVersion: 'karpenter.sh/v1beta1' };
    expect(lintNodePool(old as Value, {})[0]).toMatchObject({
      code: 'KTS001',
      fix: 'run karpenter convert',
    });
  });
});

describe('lintNodeClass', () => {
  const sound = {
    role: 'r',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: { cluster: 'blue' } }],
    securityGroupSelectorTerms: [{ tags: { cluster: 'blue' } }],
    metadataOptions: { httpEndpoint: 'disabled' },
  };

  test.each([
    { name: 'a sound class', spec: {}, codes: [] },
    { name: 'AL2', spec: { amiSelectorTerms: [{ alias: 'al2@latest' }] }, codes: ['KTS010'] },
    { name: 'the default hop limit', spec: { metadataOptions: {} }, codes: ['KTS012'] },
    {
      name: 'a hop limit of two',
      spec: { metadataOptions: { httpPutResponseHopLimit: 2 } },
      codes: ['KTS013'],
    },
    {
      name: 'a tag that clusters share',
      spec: { subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'true' } }] },
      codes: ['KTS014'],
    },
  ])('$name: $codes', ({ spec, codes }) => {
    const found = lintNodeClass(nodeClass({ ...sound, ...spec }), { kubernetesVersion: '1.33' });
    expect(found.map(({ code }) => code)).toEqual(codes);
  });

  test('a selector that found nothing is named once the cloud has been asked', () => {
    const status = { subnets: [], conditions: [{ type: 'SubnetsReady', status: 'False' }] };
    const object = { ...(nodeClass(sound) as object), status } as Value;
    expect(lintNodeClass(object).map(({ code }) => code)).toEqual(['KTS011']);
  });

  test('AL2 is fine before Kubernetes 1.33, and nobody is blamed for an unknown version', () => {
    const old = nodeClass({ ...sound, amiSelectorTerms: [{ alias: 'al2@latest' }] });
    expect(lintNodeClass(old, { kubernetesVersion: '1.32' })).toEqual([]);
    expect(lintNodeClass(old)).toEqual([]);
  });

  function nodeClass(spec: object): Value {
    return {
      apiVersion: `${aws}/v1`,
      kind: 'EC2NodeClass',
      metadata: { name: 'base' },
      spec,
    } as Value;
  }
});

describe('between objects', () => {
  const shadowed = (...pools: readonly PoolParts[]): readonly string[] =>
    [...lintShadows(pools.map(pool)).keys()].map(
      (one) => (one as { metadata: { name: string } }).metadata.name,
    );

  test.each<{
    readonly name: string;
    readonly pools: readonly PoolParts[];
    readonly shadowed: readonly string[];
  }>([
    { name: 'two equal pools', pools: [{ name: 'a' }, { name: 'b' }], shadowed: ['a'] },
    {
      name: 'pools that differ',
      pools: [{ name: 'a' }, { name: 'b', requirements: [spot] }],
      shadowed: [],
    },
    {
      name: 'a heavier pool without limits',
      pools: [{ name: 'a', weight: 10, limits: {}, requirements: [] }, { name: 'b' }],
      shadowed: ['b'],
    },
    {
      name: 'a heavier pool with limits',
      pools: [{ name: 'a', weight: 10 }, { name: 'b' }],
      shadowed: [],
    },
    {
      name: 'a tainted pool before an open one',
      pools: [{ name: 'b', taints: [{ key: 'x', effect: 'NoSchedule' }] }, { name: 'a' }],
      shadowed: [],
    },
  ])('$name: in shadow $shadowed', ({ pools, shadowed: names }) => {
    expect(shadowed(...pools)).toEqual(names);
  });

  test('a class that is not there is named', () => {
    const one = pool({});
    expect(lintReferences([one], new Set(['other'])).get(one)).toMatchObject({ code: 'KTS017' });
    expect(lintReferences([one], new Set(['base'])).size).toBe(0);
  });
});
