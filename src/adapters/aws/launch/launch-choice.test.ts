import { describe, expect, test } from 'vitest';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { CapacityType, InstanceType } from '../../../core/catalog/instance-type.ts';
import {
  labelsAsRequirements,
  type RequirementTerm,
} from '../../../core/requirements/requirements.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import { chooseLaunch } from './launch-choice.ts';

function aType(name: string, spot: number, onDemand: number, extra: Record<string, number> = {}) {
  const offering = (zone: string, capacityType: CapacityType, priceUsdPerHour: number) => ({
    zone,
    capacityType,
    priceUsdPerHour,
    isAvailable: true,
  });
  const [family = ''] = name.split('.');
  const amounts = { cpu: 2_000, memory: 8e9, pods: 29, ...extra };
  return {
    name,
    requirements: labelsAsRequirements({
      [labels.instanceType]: name,
      'karpenter.k8s.aws/instance-family': family,
    }),
    capacity: amounts,
    allocatable: amounts,
    offerings: ['a', 'b'].flatMap((zone) => [
      offering(zone, 'spot', spot),
      offering(zone, 'on-demand', onDemand),
    ]),
  } satisfies InstanceType;
}

function choose(
  types: readonly InstanceType[],
  requirements: readonly RequirementTerm[] = [],
  options: {
    readonly refused?: readonly CapacityType[];
    readonly cpu?: string;
    readonly limit?: number;
  } = {},
) {
  const claim: NodeClaim = {
    metadata: { name: 'c', uid: 'u' },
    spec: {
      requirements: requirements as NodeClaim['spec']['requirements'],
      resources: { requests: { cpu: options.cpu ?? '1' } },
      nodeClassRef: { group: 'g', kind: 'k', name: 'n' },
    },
  };
  const choice = chooseLaunch({
    claim,
    types,
    zones: new Map([
      ['a', 'az1'],
      ['b', 'az2'],
    ]),
    refused: new Set(options.refused),
    spotLimitUsdPerHour: options.limit,
  });
  if ('kind' in choice) return choice.message;
  const names = choice.candidates.map(
    ({ type, offerings }) => `${type.name}:${offerings.map((one) => one.zone).join('')}`,
  );
  return `${choice.capacityType} ${choice.tenancy} ${names.join(' ')}`;
}

const m5 = aType('m5.large', 0.04, 0.1);
const c5 = aType('c5.large', 0.03, 0.085);
const gpu = aType('g4dn.xlarge', 0.01, 0.02, { 'nvidia.com/gpu': 1 });
const metal = aType('m5.metal', 0.01, 0.02);
const term = (key: string, ...values: string[]): RequirementTerm => ({
  key,
  operator: 'In',
  values,
});

describe('what is asked of the cloud', () => {
  test.each([
    ['the cheapest first, as spot', choose([m5, c5]), 'spot default c5.large:ab m5.large:ab'],
    [
      'on-demand when spot was refused',
      choose([m5], [], { refused: ['spot'] }),
      'on-demand default m5.large:ab',
    ],
    [
      'on-demand when the claim says so',
      choose([m5], [term(labels.capacityType, 'on-demand')]),
      'on-demand default m5.large:ab',
    ],
    [
      'only in the zones of the claim',
      choose([m5], [term(labels.zone, 'b')]),
      'spot default m5.large:b',
    ],
    [
      'only in the zone ids of the claim',
      choose([m5], [term(labels.zoneId, 'az1')]),
      'spot default m5.large:a',
    ],
    [
      'only types of the claim',
      choose([m5, c5], [term(labels.instanceType, 'm5.large')]),
      'spot default m5.large:ab',
    ],
    ['no accelerators and no bare metal', choose([m5, gpu, metal]), 'spot default m5.large:ab'],
    [
      'unless nothing else is left',
      choose([gpu, metal]),
      'spot default g4dn.xlarge:ab m5.metal:ab',
    ],
    [
      'no spot dearer than on-demand',
      choose([aType('r5.large', 0.2, 0.3), c5]),
      'spot default c5.large:ab',
    ],
    [
      'dear spot if the claim wants spot alone',
      choose([aType('r5.large', 0.2, 0.1)], [term(labels.capacityType, 'spot')]),
      'spot default r5.large:ab',
    ],
    [
      'no spot beyond what the claim may cost',
      choose([m5, c5], [term(labels.capacityType, 'spot')], { limit: 0.035 }),
      'spot default c5.large:ab',
    ],
    [
      'nothing when all spot is beyond it',
      choose([m5, c5], [term(labels.capacityType, 'spot')], { limit: 0.01 }),
      'the only spot machines left cost more than on-demand ones would',
    ],
    [
      'dedicated hardware where the claim insists',
      choose([m5], [term('karpenter.k8s.aws/instance-tenancy', 'dedicated')]),
      'spot dedicated m5.large:ab',
    ],
    [
      'nothing when requests do not fit',
      choose([m5], [], { cpu: '8' }),
      'no instance type that meets the claim is available',
    ],
    [
      'nothing when too few values are left',
      choose(
        [m5, c5],
        [{ ...term('karpenter.k8s.aws/instance-family', 'm5', 'c5', 'r5'), minValues: 3 }],
      ),
      'only 2 values of karpenter.k8s.aws/instance-family are available, and the claim asks for 3',
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });

  test('at most sixty types', () => {
    const many = Array.from({ length: 80 }, (_, index) => aType(`t${index}.large`, index + 1, 100));
    const found = choose(many).split(' ').slice(2);
    expect(found).toHaveLength(60);
    expect(found[0]).toBe('t0.large:ab');
  });
});
