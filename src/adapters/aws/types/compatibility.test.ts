import { describe, expect, test } from 'vitest';
import { aResolvedClass, typesUnderTest } from '../../../../test/aws-cli/types-under-test.ts';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';

const region = 'us-east-1';
const under = typesUnderTest({ settings: { region } });

function card(networkCardIndex: number, deviceIndex: number, isEfa = false) {
  const interfaceType = isEfa ? ('efa-only' as const) : ('interface' as const);
  return { networkCardIndex, deviceIndex, interfaceType };
}

const windows = [
  {
    id: 'ami-w',
    requirements: [{ key: 'kubernetes.io/arch', operator: 'In' as const, values: ['amd64'] }],
  },
];

describe('a type that cannot serve the class is listed, and is not for sale', () => {
  test.each<{
    what: string;
    type: string;
    spec: Partial<EC2NodeClass['spec']>;
    can: boolean;
    amis?: typeof windows;
  }>([
    { what: 'AL2023 on the first Arm', type: 'a1.large', spec: {}, can: false },
    {
      what: 'Bottlerocket on the first Arm',
      type: 'a1.large',
      spec: { amiFamily: 'Bottlerocket', amiSelectorTerms: [{ id: 'ami-b' }] },
      can: true,
    },
    {
      what: 'Windows on Arm',
      type: 'm6g.large',
      spec: { amiFamily: 'Windows2022', amiSelectorTerms: [{ id: 'ami-w' }] },
      can: false,
      amis: windows,
    },
    {
      what: 'Windows on Intel',
      type: 'm5.large',
      spec: { amiFamily: 'Windows2022', amiSelectorTerms: [{ id: 'ami-w' }] },
      can: true,
      amis: windows,
    },
    {
      what: 'a second network card on a machine with one',
      type: 'm5.large',
      spec: { networkInterfaces: [card(0, 0), card(1, 0)] },
      can: false,
    },
    {
      what: 'more devices than the card has',
      type: 'm5.large',
      spec: { networkInterfaces: [card(0, 0), card(0, 3)] },
      can: false,
    },
    {
      what: 'as many devices as the card has',
      type: 'm5.large',
      spec: { networkInterfaces: [card(0, 0), card(0, 2)] },
      can: true,
    },
    {
      what: 'EFA on a machine without',
      type: 'm5.large',
      spec: { networkInterfaces: [card(0, 0), card(0, 1, true)] },
      can: false,
    },
    {
      what: 'EFA on two cards of many',
      type: 'p5.48xlarge',
      spec: { networkInterfaces: [card(0, 0), card(0, 1, true), card(1, 1, true)] },
      can: true,
    },
    {
      what: 'interfaces on a machine without enhanced networking',
      type: 'm3.large',
      spec: { networkInterfaces: [card(0, 0)] },
      can: false,
    },
    {
      what: 'connection tracking on Nitro',
      type: 'm5.large',
      spec: { connectionTracking: { udpTimeout: 30 } },
      can: true,
    },
    {
      what: 'connection tracking on Xen',
      type: 'm4.large',
      spec: { connectionTracking: { udpTimeout: 30 } },
      can: false,
    },
    {
      what: 'connection tracking on bare metal',
      type: 'm5.metal',
      spec: { connectionTracking: { udpTimeout: 30 } },
      can: false,
    },
    {
      what: 'nested virtualization on a processor without',
      type: 'm5.large',
      spec: { cpuOptions: { nestedVirtualization: 'enabled' } },
      can: false,
    },
    {
      what: 'nested virtualization that is not wanted',
      type: 'm5.large',
      spec: { cpuOptions: { nestedVirtualization: 'disabled' } },
      can: true,
    },
  ])('$what: $can', async ({ type, spec, can, amis }) => {
    const nodeClass = aResolvedClass({ region, spec, ...(amis ? { status: { amis } } : {}) });
    const { offerings, isUnusable = false } = await under.typeOf(nodeClass, type);
    expect(offerings.some((one) => one.isAvailable)).toBe(can);
    expect(isUnusable).toBe(!can);
    expect(offerings.every((one) => one.priceUsdPerHour > 0)).toBe(true);
  });
});

test('Windows has its system, its build and its addresses', async () => {
  const nodeClass = aResolvedClass({
    region,
    spec: { amiFamily: 'Windows2025', amiSelectorTerms: [{ id: 'ami-w' }] },
    status: { amis: windows },
  });
  const { requirements, capacity } = await under.typeOf(nodeClass, 'm5.large');
  const valuesOf = (key: string) => [...(requirements.get(key)?.values ?? [])];
  expect(valuesOf('kubernetes.io/os')).toEqual(['windows']);
  expect(valuesOf('node.kubernetes.io/windows-build')).toEqual(['10.0.26100']);
  expect(capacity['vpc.amazonaws.com/PrivateIPv4Address']).toBe(9);
  expect(capacity.pods).toBe(110);
});
