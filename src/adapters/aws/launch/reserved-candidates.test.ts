import { describe, expect, test } from 'vitest';
import type { Offering, Reservation } from '../../../core/catalog/instance-type.ts';
import type { Candidate } from './launch-filters.ts';
import { reservedCandidates } from './reserved-candidates.ts';

type Wanted = Partial<Reservation> & { readonly zone?: string; readonly usd?: number };

function reserved({ zone = 'a', usd = 0.001, ...wanted }: Wanted): Offering {
  const reservation = { id: 'cr-1', kind: 'default', left: 1, ...wanted } as const;
  return { zone, capacityType: 'reserved', priceUsdPerHour: usd, isAvailable: true, reservation };
}

const onDemand: Offering = {
  zone: 'a',
  capacityType: 'on-demand',
  priceUsdPerHour: 1,
  isAvailable: true,
};

function candidate(name: string, offerings: readonly Offering[]): Candidate {
  const type = { name, requirements: new Map(), capacity: {}, allocatable: {}, offerings };
  return { type, offerings };
}

function kept(...candidates: readonly Candidate[]): string {
  return reservedCandidates(candidates)
    .map(
      ({ type, offerings }) =>
        `${type.name}:${offerings.map((one) => one.reservation?.id ?? one.capacityType).join(',')}`,
    )
    .join(' ');
}

const block = { kind: 'capacity-block', id: 'cb-1' } as const;
const lent = { isInterruptible: true, id: 'cr-lent' } as const;

describe('of what can be bought, capacity that is paid for stays', () => {
  test.each([
    ['everything, where nothing is reserved', kept(candidate('m', [onDemand])), 'm:on-demand'],
    [
      'the reserved types alone',
      kept(candidate('m', [onDemand]), candidate('c', [onDemand, reserved({})])),
      'c:cr-1',
    ],
    [
      'in each zone the reservation that has most left',
      kept(
        candidate('m', [
          reserved({ id: 'cr-few', left: 1 }),
          reserved({ id: 'cr-many', left: 9 }),
          reserved({ id: 'cr-b', zone: 'b', left: 2 }),
        ]),
      ),
      'm:cr-many,cr-b',
    ],
    [
      'of different kinds the cheapest',
      kept(candidate('p', [reserved({ ...block, usd: 0.1 })]), candidate('m', [reserved({})])),
      'm:cr-1',
    ],
    [
      'of equal price the ordinary kind before blocks, and these before what is only lent',
      kept(
        candidate('a', [reserved(lent)]),
        candidate('b', [reserved(block)]),
        candidate('c', [reserved({})]),
      ),
      'c:cr-1',
    ],
    [
      'of capacity blocks a single one, the cheapest',
      kept(
        candidate('p5', [
          reserved({ ...block, usd: 2 }),
          reserved({ ...block, id: 'cb-0', usd: 1 }),
        ]),
        candidate('p4', [reserved({ ...block, id: 'cb-2', usd: 3 })]),
      ),
      'p5:cb-0',
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });
});
