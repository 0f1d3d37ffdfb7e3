import { describe, expect, test } from 'vitest';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { CapacityType, Reservation } from '../../../core/catalog/instance-type.ts';
import { fleetRequest } from './fleet-request.ts';

const nodeClass: EC2NodeClass = {
  metadata: { name: 'default' },
  spec: {
    subnetSelectorTerms: [],
    securityGroupSelectorTerms: [],
    amiSelectorTerms: [],
    context: 'ctx',
  },
};

function request(options: {
  readonly capacityType: CapacityType;
  readonly reservation?: Partial<Reservation>;
  readonly annotations?: Readonly<Record<string, string>>;
}) {
  const { capacityType } = options;
  const claim: NodeClaim = {
    metadata: { name: 'c', uid: 'u', annotations: { ...options.annotations } },
    spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'k', name: 'n' } },
  };
  const reservation = { id: 'cr-1', kind: 'default', left: 1, ...options.reservation } as const;
  const offering = {
    zone: 'a',
    capacityType,
    priceUsdPerHour: 0.1,
    isAvailable: true,
    ...(capacityType === 'reserved' ? { reservation } : {}),
  };
  const type = { name: 'm', requirements: new Map(), capacity: {}, allocatable: {}, offerings: [] };
  return fleetRequest({
    claim,
    nodeClass,
    capacityType,
    groups: [
      { templateName: 't', imageId: 'ami-1', candidates: [{ type, offerings: [offering] }] },
    ],
    subnetByZone: new Map([['a', { id: 'subnet-a' }]]),
    tags: {},
    findingTags: {},
    capacity: 7,
    clientToken: 'token',
  });
}

const overlaid = { 'karpenter.sh/price-overlay-applied': 'true' };

describe('a fleet is paid for', () => {
  test.each([
    {
      what: 'as spot',
      options: { capacityType: 'spot' },
      type: 'spot',
      more: { SpotOptions: { AllocationStrategy: 'price-capacity-optimized' } },
    },
    {
      what: 'as spot by our priorities, where prices were written over',
      options: { capacityType: 'spot', annotations: overlaid },
      type: 'spot',
      more: { SpotOptions: { AllocationStrategy: 'capacity-optimized-prioritized' } },
    },
    {
      what: 'on demand by our priorities, where prices were written over',
      options: { capacityType: 'on-demand', annotations: overlaid },
      type: 'on-demand',
      more: { OnDemandOptions: { AllocationStrategy: 'prioritized' } },
    },
    {
      what: 'out of an ordinary reservation, like on demand',
      options: { capacityType: 'reserved' },
      type: 'on-demand',
      more: { OnDemandOptions: { AllocationStrategy: 'lowest-price' } },
    },
    {
      what: 'out of a capacity block',
      options: { capacityType: 'reserved', reservation: { kind: 'capacity-block' } },
      type: 'capacity-block',
      more: {},
    },
    {
      what: 'out of a reservation that is only lent',
      options: { capacityType: 'reserved', reservation: { isInterruptible: true } },
      type: 'reserved-capacity',
      more: {
        ReservedCapacityOptions: { ReservationTypes: ['interruptible-capacity-reservation'] },
      },
    },
  ] as const)('$what', ({ options, type, more }) => {
    const { TargetCapacitySpecification, SpotOptions, OnDemandOptions, ReservedCapacityOptions } =
      request(options);
    expect(TargetCapacitySpecification).toEqual({
      DefaultTargetCapacityType: type,
      TotalTargetCapacity: 7,
    });
    const given = { SpotOptions, OnDemandOptions, ReservedCapacityOptions };
    expect(JSON.parse(JSON.stringify(given))).toEqual(more);
  });
});

test('a claim whose minimum was relaxed goes without the context', () => {
  const annotations = { 'karpenter.sh/nodeclaim-min-values-relaxed': 'true' };
  expect(request({ capacityType: 'spot' }).Context).toBe('ctx');
  expect(request({ capacityType: 'spot', annotations }).Context).toBeUndefined();
});
