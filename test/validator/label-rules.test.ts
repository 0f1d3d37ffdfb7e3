import { describe, expect, test } from 'vitest';
import { requirementsOf } from '../../src/core/requirements/requirements.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { aNode, aPool } from './builders.ts';
import { anOrder, faults, small, web } from './sample-plans.ts';

describe('where a pod may be', () => {
  const inB = [{ key: labels.zone, operator: 'In' as const, values: ['b'] }];

  test.each([
    { operator: 'In' as const, values: ['b'] },
    { operator: 'NotIn' as const, values: ['a'] },
    { operator: 'DoesNotExist' as const },
    { operator: 'Gt' as const, values: ['1'] },
  ])('a zone that is not $operator $values is a fault', (term) => {
    const pod = web('one', { wants: [[{ key: labels.zone, ...term }]] });
    expect(faults({ newNodes: [anOrder([pod])] })).toEqual([
      'new node 0 as m.small has labels that pod one does not want',
    ]);
  });

  test('any one of several alternatives will do', () => {
    const pod = web('one', { wants: [inB, [{ key: labels.arch, operator: 'Exists' }]] });
    expect(faults({ newNodes: [anOrder([pod])] })).toEqual([]);
  });

  test('a node that is there must have the labels too', () => {
    const placements = [{ pod: web('one', { wants: [inB] }), nodeName: 'node' }];
    expect(faults({ placements }, { nodes: [aNode()] })).toEqual([
      'pod one does not want the labels of node',
    ]);
  });

  test('a taint must be tolerated, on old nodes and new', () => {
    const taints = [{ key: 'gpu', effect: 'NoSchedule' as const }];
    const tainted = aPool({ instanceTypes: [small], taints });
    const pod = web('one');
    expect(faults({ newNodes: [anOrder([pod], { pool: tainted })] })).toEqual([
      'new node 0 repels pod one',
    ]);
    const placements = [{ pod, nodeName: 'node' }];
    expect(faults({ placements }, { nodes: [aNode({ taints })] })).toEqual([
      'pod one on tainted node',
    ]);
    const friend = web('one', { tolerations: [{ key: 'gpu', operator: 'Exists' }] });
    expect(faults({ newNodes: [anOrder([friend], { pool: tainted })] })).toEqual([]);
  });

  test('volumes must be within reach', () => {
    const volumes = { alternatives: [requirementsOf(inB)], attachments: {} };
    const order = (zone: string) => ({ newNodes: [anOrder([web('one', { volumes })], { zone })] });
    expect(faults(order('b'))).toEqual([]);
    expect(faults(order('a'))).toEqual([
      'new node 0 as m.small cannot reach the volumes of pod one',
    ]);
    const placements = [{ pod: web('one', { volumes }), nodeName: 'node' }];
    expect(faults({ placements }, { nodes: [aNode()] })).toEqual([
      'the volumes of pod one cannot be reached from node',
    ]);
  });

  test('a volume may be bound to a node by its host name', () => {
    const hostname = 'kubernetes.io/hostname';
    const onNode = requirementsOf([{ key: hostname, operator: 'In', values: ['node'] }]);
    const volumes = { alternatives: [onNode], attachments: {} };
    const placements = [{ pod: web('one', { volumes }), nodeName: 'node' }];
    expect(faults({ placements }, { nodes: [aNode()] })).toEqual([]);
  });

  test('nothing comes to a node that leaves, or that is not there', () => {
    const placements = [
      { pod: web('one'), nodeName: 'node' },
      { pod: web('two'), nodeName: 'ghost' },
    ];
    expect(faults({ placements }, { nodes: [aNode({ isLeaving: true })] })).toEqual([
      'node ghost does not exist',
      'node node is leaving and got pods',
    ]);
  });

  test('a pod with a rule that nobody places by has no place', () => {
    expect(
      faults({ newNodes: [anOrder([web('one', { unsupported: ['resourceClaims'] })])] }),
    ).toEqual(['new node 0 is for pod one, which cannot be placed']);
  });
});
