import { expect, test } from 'vitest';
import { aDaemon, aNode } from '../../../test/validator/builders.ts';
import { type RequirementTerm, requirementsOf } from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';
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
