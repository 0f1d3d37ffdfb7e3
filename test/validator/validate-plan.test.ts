import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/core/cluster/pod.ts';
import { aDaemon, aNode } from './builders.ts';
import { anOrder, faults, large, small, web } from './sample-plans.ts';

test('a sound plan has no fault', () => {
  expect(faults({ newNodes: [anOrder([web('one'), web('two')])] })).toEqual([]);
});

describe('answers', () => {
  test('a pod with two places is a fault', () => {
    const pod = web('one');
    expect(faults({ newNodes: [anOrder([pod]), anOrder([pod])] })).toContain(
      'pod one has 2 answers',
    );
  });

  test('a refusal needs a reason', () => {
    const refusal = { code: 'too-large', sentence: 'no', parts: [] } as const;
    expect(faults({ unplaced: [{ pod: web('one'), refusal }] })).toEqual([
      'pod one is refused without a reason',
    ]);
  });
});

describe('what a node holds', () => {
  test.each([
    { name: 'cpu', pods: [web('one', { cpuMillis: 2001 })] },
    { name: 'memory', pods: [web('one', { memoryGi: 9 })] },
    { name: 'pods', pods: ['1', '2', '3', '4', '5'].map((name) => web(name)) },
    { name: 'gpu', pods: [web('one', { requests: { gpu: 1 } })] },
  ])('an order over its $name is a fault', ({ name, pods }) => {
    expect(faults({ newNodes: [anOrder(pods)] })).toEqual([
      `new node 0 as m.small is over its ${name}`,
    ]);
  });

  test('one type of the list that is too small is a fault', () => {
    const order = anOrder([web('one', { cpuMillis: 3000 })], { types: [small, large] });
    expect(faults({ newNodes: [order] })).toContain('new node 0 as m.small is over its cpu');
  });

  test('daemons take their share of a new node', () => {
    const newNodes = [anOrder([web('one', { cpuMillis: 1950 })])];
    const daemons = [aDaemon({ cpuMillis: 100 })];
    expect(faults({ newNodes }, { daemons })).toEqual(['new node 0 as m.small is over its cpu']);
  });

  test('bound pods and daemons to come take their share of a node that is there', () => {
    const node = aNode({ pods: [web('old', { cpuMillis: 3900 })] });
    const placements = [{ pod: web('one'), nodeName: 'node' }];
    expect(faults({ placements }, { nodes: [node] })).toEqual([]);
    expect(faults({ placements }, { nodes: [node], daemons: [aDaemon({ cpuMillis: 1 })] })).toEqual(
      ['node is over its cpu'],
    );
  });

  test('a host port is taken once per address', () => {
    const at = (name: string, ip: string): Pod =>
      web(name, { hostPorts: [{ ip, port: 80, protocol: 'TCP' }] });
    const orderOf = (a: string, b: string) => ({ newNodes: [anOrder([at('x', a), at('y', b)])] });
    expect(faults(orderOf('10.0.0.1', '10.0.0.2'))).toEqual([]);
    expect(faults(orderOf('10.0.0.1', ''))).toEqual([
      'new node 0 as m.small has host port 80 twice',
    ]);
  });

  test('a node attaches no more volumes than it can, a shared one counting once', () => {
    const using = (name: string, volume: string): Pod =>
      web(name, { volumes: { alternatives: [new Map()], attachments: { ebs: [volume] } } });
    const node = aNode({ attachLimits: { ebs: 1 }, pods: [using('old', 'v1')] });
    const place = (volume: string) => ({
      placements: [{ pod: using('one', volume), nodeName: 'node' }],
    });
    expect(faults(place('v1'), { nodes: [node] })).toEqual([]);
    expect(faults(place('v2'), { nodes: [node] })).toEqual([
      'node attaches more volumes of ebs than it can',
    ]);
  });
});
