import { describe, expect, test } from 'vitest';
import {
  aDaemon,
  aNode,
  aPod,
  aSnapshot,
  aType,
  gibibyte,
} from '../../../test/validator/builders.ts';
import type { InstanceType } from '../catalog/instance-type.ts';
import { type RequirementTerm, requirementsOf } from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';
import { solve } from '../scheduling/solve.ts';
import { expectedOn } from './node-facts.ts';
import type { Node } from './snapshot.ts';

const term = (key: string, ...values: string[]): RequirementTerm => ({
  key,
  operator: 'In',
  values,
});

/** How much room the node keeps for a daemon that asks for such a node. */
function roomKept(node: Partial<Node>, ...wanted: RequirementTerm[]): number {
  const daemon = aDaemon({ cpuMillis: 500, wants: [wanted] });
  return expectedOn(aNode(node), [daemon]).requests.cpu ?? 0;
}

test('room is kept for a daemon that waits until the node has grown up', () => {
  const grown = term(labels.initialized, 'true');
  expect(roomKept({ stage: 'registered' }, grown)).toBe(500);
  expect(roomKept({ stage: 'initialized' }, grown)).toBe(0);
  expect(roomKept({ stage: 'initialized', claimName: undefined }, grown)).toBe(0);
});

test('room is kept for a daemon that asks for a node by its name', () => {
  expect(roomKept({ name: 'here' }, term('metadata.name', 'here'))).toBe(500);
  expect(roomKept({ name: 'there' }, term('metadata.name', 'here'))).toBe(0);
});

test('room is kept on an order where the daemon will run whichever machine comes', () => {
  const openLabels = requirementsOf([term(labels.arch, 'amd64', 'arm64')]);
  const order = { stage: 'ordered', labels: { [labels.os]: 'linux' }, openLabels } as const;
  const linux = term(labels.os, 'linux');
  expect(roomKept(order, linux, term(labels.arch, 'amd64', 'arm64', 'riscv64'))).toBe(500);
  expect(roomKept(order, linux, term(labels.arch, 'amd64'))).toBe(0);
});

describe('on an order of types of which some run a daemon more', () => {
  const graviton = aType({ name: 'm7g.large', cpu: 2, memoryGi: 8, arch: 'arm64' });
  const intel = aType({ name: 'm7i.large', cpu: 2, memoryGi: 8 });
  const larger = aType({ name: 'm7g.xlarge', cpu: 4, memoryGi: 16, arch: 'arm64' });
  const onArm = aDaemon({ cpuMillis: 500, wants: [[term(labels.arch, 'arm64')]] });
  const order = (possibleTypes: readonly InstanceType[]): Node =>
    aNode({
      stage: 'ordered',
      labels: {},
      openLabels: requirementsOf([term(labels.arch, 'amd64', 'arm64')]),
      possibleTypes,
      allocatable: { cpu: 2000, memory: 8 * gibibyte, pods: 20 },
      reservedFor: ['uid-first'],
    });

  test('its room is kept, unless such types have as much more than the others', () => {
    const kept = (...types: readonly InstanceType[]) =>
      expectedOn(order(types), [onArm]).ofSomeTypes;
    expect(kept(graviton, intel)).toEqual({ cpu: 500, pods: 1 });
    expect(kept(larger, intel)).toEqual({ pods: 1 });
    expect(kept(intel)).toEqual({});
  });

  test('the pods that it was made for stay, and others leave the daemon its room', () => {
    const nodes = [order([graviton, intel])];
    const pods = [
      aPod({ name: 'first', cpuMillis: 1000 }),
      aPod({ name: 'second', cpuMillis: 500 }),
      aPod({ name: 'third', cpuMillis: 500 }),
    ];
    const { placements } = solve(aSnapshot({ nodes, daemons: [onArm] }), pods);
    expect(placements.map(({ pod }) => pod.name)).toEqual(['first', 'second']);
    const full = aPod({ name: 'first', cpuMillis: 2000 });
    expect(solve(aSnapshot({ nodes, daemons: [onArm] }), [full]).placements).toHaveLength(1);
  });

  test('its ports are kept as well', () => {
    const hostPorts = [{ protocol: 'TCP', port: 9100, ip: '0.0.0.0' }];
    const onPort = { ...onArm, hostPorts };
    const waiting = [aPod({ name: 'other', cpuMillis: 100, hostPorts })];
    const placedOn = (...types: readonly InstanceType[]) =>
      solve(aSnapshot({ nodes: [order(types)], daemons: [onPort] }), waiting).placements.length;
    expect(placedOn(graviton, intel)).toBe(0);
    expect(placedOn(intel)).toBe(1);
  });
});
