import { describe, expect, test } from 'vitest';
import type { Pool } from '../../src/core/cluster/snapshot.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import type { NewNode } from '../../src/core/scheduling/plan.ts';
import { aNode, anOffering, aPool, aType, gibibyte } from './builders.ts';
import { anOrder, faults, large, small, web } from './sample-plans.ts';

describe('what is bought', () => {
  test('nothing is ordered from a pool that is not ready or of fixed size', () => {
    const order = (wish: Partial<Pool>) => ({
      newNodes: [anOrder([web('one')], { pool: aPool({ instanceTypes: [small], ...wish }) })],
    });
    expect(faults(order({ notReady: 'no class' }))).toEqual([
      'new node 0 is of a pool that is not ready',
    ]);
    expect(faults(order({ isStatic: true }))).toEqual(['new node 0 is of a pool of fixed size']);
  });

  test('the purchase must exist and be the cheapest', () => {
    const order = anOrder([web('one')]);
    const cheapest = { ...order.cheapest, priceUsdPerHour: 0.1 };
    expect(faults({ newNodes: [{ ...order, cheapest }] })).toEqual([
      'new node 0 has a cheaper purchase',
      'new node 0 counts on a purchase that does not exist',
    ]);
    const wrong = anOrder([web('one')], { types: [large, small] });
    expect(faults({ newNodes: [wrong] })).toEqual([
      'new node 0 does not list its types cheapest first',
      'new node 0 has a cheaper purchase',
    ]);
  });

  test('an order for nobody, or without a type that can be bought, is a fault', () => {
    expect(faults({ newNodes: [anOrder([])] })).toEqual(['new node 0 is for nobody']);
    const dry = { ...small, offerings: small.offerings.map((o) => ({ ...o, isAvailable: false })) };
    expect(faults({ newNodes: [anOrder([web('one')], { types: [dry] })] })).toContain(
      'new node 0 as m.small cannot be bought',
    );
  });

  test('an order asks for no less than its pods', () => {
    const order = { ...anOrder([web('one')]), requests: { cpu: 99 } };
    expect(faults({ newNodes: [order] })).toEqual(['new node 0 asks for too little cpu']);
  });

  test.each([
    { limits: { cpu: 5000 }, fault: 'pool default passes its limit cpu' },
    { limits: { nodes: 1 }, fault: 'pool default passes its limit nodes' },
    { limits: { memory: 17 * gibibyte }, fault: 'pool default passes its limit memory' },
  ])('the largest types of all orders together stay within $limits', ({ limits, fault }) => {
    const limited = aPool({ instanceTypes: [small, large], limits });
    const order = anOrder([web('one')], { pool: limited });
    const wide = anOrder([web('two')], { pool: limited, types: [small, large] });
    expect(faults({ newNodes: [order] }, { pools: [limited] })).toEqual([]);
    expect(faults({ newNodes: [order, wide] }, { pools: [limited] })).toEqual([fault]);
  });

  test('minValues are met by the list of types', () => {
    const minValues = new Map([['karpenter.k8s.aws/instance-family', 2]]);
    const varied = aPool({ instanceTypes: [small, large], minValues });
    expect(faults({ newNodes: [anOrder([web('one')], { pool: varied, types: [small] })] })).toEqual(
      ['new node 0 has too few values of karpenter.k8s.aws/instance-family'],
    );
  });

  test('a reservation is counted on no more often than it has machines', () => {
    const reservation = { id: 'cr-1', kind: 'default' as const, left: 1 };
    const paid = aType({
      name: 'r.paid',
      cpu: 2,
      memoryGi: 8,
      offerings: [anOffering({ capacityType: 'reserved', priceUsdPerHour: 0, reservation })],
    });
    const order = (name: string): NewNode => {
      const base = anOrder([web(name)], { types: [paid] });
      const requirements = new Map(base.requirements);
      requirements.delete(labels.capacityType);
      return { ...base, requirements, cheapest: { ...base.cheapest, capacityType: 'reserved' } };
    };
    const pools = [aPool({ instanceTypes: [paid] })];
    expect(faults({ newNodes: [order('one')] }, { pools })).toEqual([]);
    expect(faults({ newNodes: [order('one'), order('two')] }, { pools })).toEqual([
      '2 orders count on reservation cr-1, which has 1 left',
    ]);
    const nodes = [aNode({ stage: 'ordered', labels: { [labels.reservationId]: 'cr-1' } })];
    expect(faults({ newNodes: [order('one')] }, { pools, nodes })).toEqual([
      '1 orders count on reservation cr-1, which has 0 left',
    ]);
  });
});
