import { describe, expect, test } from 'vitest';
import type { Pod, PodTerm } from '../../src/core/cluster/pod.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { aNode, type PodWish } from './builders.ts';
import { anOrder, faults, hostTerm, web, zoneTerm } from './sample-plans.ts';

describe('pods together', () => {
  const near = (name: string, wish: PodWish = {}): Pod =>
    web(name, { affinity: [zoneTerm], ...wish });

  test('the first of its kind goes anywhere, the next ones go there too', () => {
    const orders = (zone: string) => ({
      newNodes: [anOrder([near('one')]), anOrder([near('two')], { zone })],
    });
    expect(faults(orders('a'))).toEqual([]);
    expect(faults(orders('b'))).toEqual([
      expect.stringContaining('the pods that it must be with are not surely in its topology'),
    ]);
  });

  test('a pod that is near others only waits for them', () => {
    const guest = near('guest', { labels: {} });
    expect(faults({ newNodes: [anOrder([guest])] })).toHaveLength(1);
    expect(faults({ newNodes: [anOrder([guest]), anOrder([web('host')])] })).toEqual([]);
    const nodes = [aNode({ labels: { [labels.zone]: 'a' }, pods: [web('host')] })];
    expect(faults({ newNodes: [anOrder([guest])] }, { nodes })).toEqual([]);
    const elsewhere = [aNode({ labels: { [labels.zone]: 'b' }, pods: [web('host')] })];
    expect(faults({ newNodes: [anOrder([guest])] }, { nodes: elsewhere })).toHaveLength(1);
  });

  test('a pod may still be near those on a node that leaves', () => {
    const labelled = { labels: { [labels.zone]: 'a' }, pods: [web('host')], isLeaving: true };
    const guest = near('guest', { labels: {} });
    expect(faults({ newNodes: [anOrder([guest])] }, { nodes: [aNode(labelled)] })).toEqual([]);
  });

  test('those that stay on a node that leaves keep others away', () => {
    const nodes = [aNode({ labels: { [labels.zone]: 'a' }, pods: [web('held')], isLeaving: true })];
    const shy = web('shy', { labels: {}, antiAffinity: [zoneTerm] });
    expect(faults({ newNodes: [anOrder([shy])] }, { nodes })).toHaveLength(1);
    expect(faults({ newNodes: [anOrder([shy], { zone: 'b' })] }, { nodes })).toEqual([]);
  });

  test('whoever can be bound now comes before pods for whom a node must be bought', () => {
    const nodes = [aNode({ labels: { [labels.zone]: 'a' } })];
    const newNodes = [anOrder([near('first')], { zone: 'b' })];
    const soon = { placements: [{ pod: web('soon'), nodeName: 'node' }], newNodes };
    expect(faults(soon, { nodes })).toHaveLength(1);
    // What has been ordered is not there yet either.
    expect(faults(soon, { nodes: nodes.map((node) => ({ ...node, stage: 'ordered' })) })).toEqual(
      [],
    );
  });

  test('namespaces are chosen by name or by label', () => {
    const host = web('host', { namespace: 'blue' });
    const guest = (term: Partial<PodTerm>) => ({
      newNodes: [
        anOrder([near('guest', { affinity: [{ ...zoneTerm, ...term }], labels: {} }), host]),
      ],
    });
    const namespaces = new Map([['blue', { team: 'x' }]]);
    expect(faults(guest({}), { namespaces })).toHaveLength(1);
    expect(faults(guest({ namespaces: ['blue'] }), { namespaces })).toEqual([]);
    const byLabel = { namespaces: [], namespaceSelector: { matchLabels: { team: 'x' } } };
    expect(faults(guest(byLabel), { namespaces })).toEqual([]);
    const everywhere = { namespaces: [], namespaceSelector: {} };
    expect(faults(guest(everywhere), { namespaces })).toEqual([]);
  });
});

describe('pods apart', () => {
  const apart = (name: string, term = hostTerm): Pod => web(name, { antiAffinity: [term] });

  test('two that keep apart do not share a host', () => {
    const [one, two] = [apart('one'), apart('two')];
    expect(faults({ newNodes: [anOrder([one]), anOrder([two])] })).toEqual([]);
    expect(faults({ newNodes: [anOrder([one, two])] })).toHaveLength(2);
  });

  test('the one that is kept away need not know', () => {
    expect(faults({ newNodes: [anOrder([apart('one'), web('two')])] })).toHaveLength(1);
  });

  test('pods that were there keep newcomers away', () => {
    const nodes = [aNode({ pods: [apart('old')] })];
    expect(faults({ placements: [{ pod: web('one'), nodeName: 'node' }] }, { nodes })).toHaveLength(
      1,
    );
    const other = web('one', { labels: {} });
    expect(faults({ placements: [{ pod: other, nodeName: 'node' }] }, { nodes })).toEqual([]);
  });

  test('zones that may turn out the same are a fault', () => {
    const first = anOrder([apart('one', zoneTerm)]);
    const second = anOrder([apart('two', zoneTerm)], { zone: 'b' });
    expect(faults({ newNodes: [first, second] })).toEqual([]);
    const requirements = new Map(second.requirements);
    requirements.delete(labels.zone);
    expect(faults({ newNodes: [first, { ...second, requirements }] }).length).toBeGreaterThan(0);
  });
});
