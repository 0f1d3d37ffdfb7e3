import { expect, test } from 'vitest';
import type { Ties } from '../between-pods/topology.ts';
import { impossible } from '../market/wish.ts';
import { Candidates } from './candidates.ts';
import type { Demand } from './demand.ts';
import type { OpenNode, Trade } from './open-node.ts';

const stock = {};
/** Wish 9 agrees with itself alone. */
const wishes = { join: (a: number, b: number) => (a === b || a + b < 9 ? a : impossible) };
const trade = { markets: { stocks: [stock] }, wishes } as unknown as Trade;
const group = {};
const loners = { host: [{ group, matches: true, cap: 1 }], company: [] } as unknown as Ties;
const anyone = { host: [], company: [] } as unknown as Ties;

function aDemand(ties: Ties, wish = 0): Demand {
  return { ties, wish, ports: [] } as unknown as Demand;
}

function aNode(...demands: readonly Demand[]): OpenNode {
  const guests = demands.map((demand) => ({ demand, pods: ['a pod'] }));
  return { stock, wish: 0, guests } as unknown as OpenNode;
}

/** Which of the nodes are asked, in order. */
function asked(candidates: Candidates, demand: Demand, nodes: readonly OpenNode[]): number[] {
  const list: number[] = [];
  candidates.ask(demand, (node) => {
    list.push(nodes.indexOf(node));
    return false;
  });
  return list;
}

test('the last opened is asked first, and nobody after the one that is enough', () => {
  const nodes = [aNode(), aNode(), aNode()];
  const candidates = new Candidates(nodes, [trade]);
  const list: number[] = [];
  candidates.ask(aDemand(anyone), (node) => {
    list.push(nodes.indexOf(node));
    return node === nodes[1];
  });
  expect(list).toEqual([2, 1]);
});

test('nodes that bear no more of a kind are not asked, wherever they stand in line', () => {
  const loner = aDemand(loners);
  const nodes = [aNode(loner), aNode(), aNode(loner), aNode(), aNode(loner)];
  const candidates = new Candidates(nodes, [trade]);
  expect(asked(candidates, loner, nodes)).toEqual([3, 1]);
  nodes[3]?.guests.push({ demand: loner, pods: [] });
  nodes.push(aNode());
  expect(asked(candidates, loner, nodes)).toEqual([5, 3, 1]);
  expect(asked(candidates, aDemand(anyone), nodes)).toEqual([5, 4, 3, 2, 1, 0]);
});

test('a node closed once is not looked at again, and stays open to others', () => {
  const loner = aDemand(loners);
  const [full, empty] = [aNode(loner), aNode()];
  const nodes = [full, empty];
  const candidates = new Candidates(nodes, [trade]);
  expect(asked(candidates, loner, nodes)).toEqual([1]);
  full.guests.length = 0;
  expect(asked(candidates, loner, nodes)).toEqual([1]);
  expect(asked(new Candidates(nodes, [trade]), loner, nodes)).toEqual([1, 0]);
});

test('what pods wish closes a node too, for pods of that wish', () => {
  const nodes = [aNode()];
  const candidates = new Candidates(nodes, [trade]);
  expect(asked(candidates, aDemand(anyone, 9), nodes)).toEqual([]);
  expect(asked(candidates, aDemand(anyone, 1), nodes)).toEqual([0]);
});
