import { describe, expect, test } from 'vitest';
import type { PodAffinityTerm, TopologySpreadConstraint } from '../kubernetes/core.ts';
import { preferredTerms, requiredTerms, spreadOf } from './pod-terms.ts';

const web = { namespace: 'shop', labels: { app: 'web', 'pod-template-hash': '7c5' } };
const selector = { matchLabels: { app: 'web' } };

function spread(wish: Partial<TopologySpreadConstraint>): TopologySpreadConstraint {
  return {
    maxSkew: 1,
    topologyKey: 'zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: selector,
    ...wish,
  };
}

describe('a spread constraint', () => {
  test('honours node affinity and ignores taints unless told otherwise', () => {
    const read = (wish: Partial<TopologySpreadConstraint>) => spreadOf([spread(wish)], web)?.[0];
    expect(read({})).toMatchObject({ honorsNodeAffinity: true, honorsTaints: false });
    expect(read({ nodeAffinityPolicy: 'Ignore', nodeTaintsPolicy: 'Honor' })).toMatchObject({
      honorsNodeAffinity: false,
      honorsTaints: true,
    });
  });

  test('is hard only where it says DoNotSchedule', () => {
    const soft = spread({ whenUnsatisfiable: 'ScheduleAnyway' });
    expect(spreadOf([spread({}), soft], web)?.map((one) => one.isHard)).toEqual([true, false]);
  });

  test('goes by the present name of an old topology key', () => {
    const old = spread({ topologyKey: 'failure-domain.beta.kubernetes.io/zone' });
    expect(spreadOf([old], web)?.[0]?.topologyKey).toBe('topology.kubernetes.io/zone');
  });

  test('asks for the pod’s own values under matchLabelKeys that it carries', () => {
    const constraint = spread({ matchLabelKeys: ['pod-template-hash', 'absent'] });
    expect(spreadOf([constraint], web)?.[0]?.selector).toEqual({
      matchLabels: { app: 'web' },
      matchExpressions: [{ key: 'pod-template-hash', operator: 'In', values: ['7c5'] }],
    });
  });

  test('does not repeat what the API server has merged already', () => {
    const merged = {
      ...selector,
      matchExpressions: [{ key: 'pod-template-hash', operator: 'In' as const, values: ['7c5'] }],
    };
    const constraint = spread({ labelSelector: merged, matchLabelKeys: ['pod-template-hash'] });
    expect(spreadOf([constraint], web)?.[0]?.selector).toEqual(merged);
  });

  test('of none is undefined', () => {
    expect(spreadOf([], web)).toBeUndefined();
    expect(spreadOf(undefined, web)).toBeUndefined();
  });
});

describe('a pod term', () => {
  const read = (wish: Partial<PodAffinityTerm>) =>
    requiredTerms(
      {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'zone', labelSelector: selector, ...wish },
        ],
      },
      web,
    )?.[0];

  test.each([
    { name: 'the pod’s own namespace', wish: {}, namespaces: ['shop'] },
    { name: 'the named ones', wish: { namespaces: ['a', 'b'] }, namespaces: ['a', 'b'] },
    { name: 'all, by an empty selector', wish: { namespaceSelector: {} }, namespaces: [] },
    {
      name: 'the named ones beside the selected',
      wish: { namespaces: ['a'], namespaceSelector: { matchLabels: { team: 'x' } } },
      namespaces: ['a'],
    },
  ])('looks into $name', ({ wish, namespaces }) => {
    expect(read(wish)).toMatchObject({ namespaces });
    expect(read(wish)?.namespaceSelector).toEqual(
      'namespaceSelector' in wish ? wish.namespaceSelector : undefined,
    );
  });

  test('asks for own values or rules them out', () => {
    const term = read({ matchLabelKeys: ['app'], mismatchLabelKeys: ['pod-template-hash'] });
    expect(term?.selector?.matchExpressions).toEqual([
      { key: 'app', operator: 'In', values: ['web'] },
      { key: 'pod-template-hash', operator: 'NotIn', values: ['7c5'] },
    ]);
  });

  test('that is only wished for keeps its weight', () => {
    const affinity = {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 40, podAffinityTerm: { topologyKey: 'zone', labelSelector: selector } },
      ],
    };
    expect(preferredTerms(affinity, web)).toEqual([
      { weight: 40, topologyKey: 'zone', selector, namespaces: ['shop'] },
    ]);
    expect(requiredTerms(affinity, web)).toBeUndefined();
  });
});
