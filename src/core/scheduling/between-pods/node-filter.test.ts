import { describe, expect, test } from 'vitest';
import { aNode, aPod, aPool, aSnapshot, aType, pods } from '../../../../test/validator/builders.ts';
import { validatePlan } from '../../../../test/validator/validate-plan.ts';
import type { Pod, SpreadConstraint, Taint } from '../../cluster/pod.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import {
  type RequirementTerm,
  requirementsKey,
  requirementsOf,
} from '../../requirements/requirements.ts';
import { labels } from '../../requirements/well-known.ts';
import type { Plan } from '../plan.ts';
import { solve } from '../solve.ts';
import { countingOf, sidesOf, wantedOn } from './node-filter.ts';

const isRed: RequirementTerm = { key: 'team', operator: 'In', values: ['red'] };
const hasTeam: RequirementTerm = { key: 'team', operator: 'Exists' };
const noTeam: RequirementTerm = { key: 'team', operator: 'DoesNotExist' };
const notBlue: RequirementTerm = { key: 'team', operator: 'NotIn', values: ['blue'] };
const above3: RequirementTerm = { key: 'level', operator: 'Gt', values: ['3'] };
const dedicated: Taint = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' };
const tolerations = [{ key: 'dedicated', operator: 'Exists' as const }];
const open = aPool({ name: 'open' });
const tainted = aPool({ name: 'tainted', taints: [dedicated] });

const reading = (terms: readonly RequirementTerm[]) => ({
  alternatives: [requirementsOf(terms)],
  pod: aPod({ tolerations }),
});

describe('whether pods on new nodes count for a rule that looks at some nodes only', () => {
  test.each([
    { rule: [isRed], wants: [isRed], counting: 'always' },
    { rule: [isRed], wants: [isRed, above3], counting: 'always' },
    { rule: [hasTeam], wants: [isRed], counting: 'always' },
    { rule: [notBlue], wants: [noTeam], counting: 'always' },
    { rule: [notBlue], wants: [], counting: 'either' },
    { rule: [isRed], wants: [], counting: 'either' },
    { rule: [isRed], wants: [hasTeam], counting: 'either' },
    { rule: [above3], wants: [isRed], counting: 'either' },
    { rule: [isRed], wants: [noTeam], counting: 'never' },
    { rule: [hasTeam], wants: [noTeam], counting: 'never' },
    { rule: [isRed, noTeam], wants: [], counting: 'never' },
  ])('$rule.0 and $wants.0 give $counting', ({ rule, wants, counting }) => {
    const filter = [requirementsOf(rule)];
    expect(countingOf({ filter }, reading(wants), [open])).toBe(counting);
  });

  test('a pool that only one of them tolerates leaves it open', () => {
    const tolerant = aPod();
    expect(countingOf({ tolerant }, reading([]), [open])).toBe('always');
    expect(countingOf({ tolerant }, reading([]), [open, tainted])).toBe('either');
  });

  test('a label that not every node has must be asked for', () => {
    expect(countingOf({ needs: [labels.zone] }, reading([]), [open])).toBe('always');
    expect(countingOf({ needs: ['team'] }, reading([]), [open])).toBe('either');
    expect(countingOf({ needs: ['team'] }, reading([hasTeam]), [open])).toBe('always');
  });

  test('the wish is split so that each part is sure', () => {
    const rule = { filter: [requirementsOf([isRed])], tolerant: aPod() };
    const { counted, passedBy } = sidesOf(rule, [open, tainted]);
    const wanted = requirementsOf([above3]);
    expect(wantedOn(counted, wanted).map(requirementsKey)).toEqual([
      'karpenter.sh/nodepool NotIn tainted and level Gte 4 and team In red',
    ]);
    expect(wantedOn(passedBy, wanted).map(requirementsKey)).toEqual([
      'karpenter.sh/nodepool In tainted and level Gte 4',
      'level Gte 4 and team NotIn red',
    ]);
  });
});

const type = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, pods: 4, onDemandUsd: 0.1 });
const web = { labels: { app: 'web' }, cpuMillis: 500 };

function solved(waiting: readonly Pod[], snapshot: Snapshot): Plan {
  const plan = solve(snapshot, waiting);
  expect(validatePlan(snapshot, waiting, plan)).toEqual([]);
  return plan;
}

function overZones(wish: Partial<SpreadConstraint>): SpreadConstraint {
  return {
    topologyKey: labels.zone,
    maxSkew: 1,
    isHard: true,
    selector: { matchLabels: { app: 'web' } },
    honorsNodeAffinity: false,
    honorsTaints: false,
    ...wish,
  };
}

describe('a spread that looks at some nodes only', () => {
  test('counts others of its kind where they are on such nodes, and nowhere else', () => {
    const snapshot = aSnapshot({
      pools: [
        aPool({ name: 'open', instanceTypes: [type] }),
        aPool({ name: 'batch', instanceTypes: [type], taints: [dedicated] }),
      ],
      // The others fill the one node that the strict ones do not look at.
      nodes: [
        aNode({
          labels: { [labels.zone]: 'a' },
          taints: [dedicated],
          allocatable: { cpu: 2000, memory: 2 ** 33, pods: 4 },
        }),
      ],
    });
    const strict = pods(6, {
      ...web,
      name: 'strict',
      spread: [overZones({ honorsTaints: true })],
    });
    const free = pods(6, { ...web, name: 'free', tolerations });
    expect(solved([...strict, ...free], snapshot).unplaced).toEqual([]);
  });

  test('does not count a node that lacks another label over which its pods are spread', () => {
    const snapshot = aSnapshot({
      pools: [aPool({ instanceTypes: [type], labels: { team: 'red' } })],
      nodes: [
        aNode({
          labels: { [labels.zone]: 'a' },
          pods: pods(3, { ...web, name: 'old' }),
        }),
      ],
    });
    const spread = [overZones({}), overZones({ topologyKey: 'team' })];
    const plan = solved(pods(3, { ...web, name: 'new', spread }), snapshot);
    expect(plan.newNodes.map(({ cheapest }) => cheapest.zone).sort()).toEqual(['a', 'b', 'c']);
  });
});

test('a pod that others count by a label may be where that label is missing', () => {
  const keeper = aPod({
    name: 'keeper',
    antiAffinity: [
      { topologyKey: 'team', selector: { matchLabels: { app: 'web' } }, namespaces: ['default'] },
    ],
  });
  const snapshot = aSnapshot({
    pools: [aPool({ instanceTypes: [type] })],
    nodes: [aNode({ labels: { team: 'red' }, pods: [keeper] })],
  });
  expect(solved(pods(2, web), snapshot).unplaced).toEqual([]);
});

test('a pod that asks for what no node can be keeps no other from its own label', () => {
  const selector = {
    matchExpressions: [{ key: 'app', operator: 'NotIn' as const, values: ['blue'] }],
  };
  const spread = overZones({ selector, honorsNodeAffinity: true });
  const muddled = aPod({ name: 'muddled', wants: [[isRed, noTeam]], spread: [spread] });
  const plain = aPod({ name: 'plain' });
  const inA: RequirementTerm = { key: labels.zone, operator: 'In', values: ['a'] };
  const choosy = aPod({ name: 'choosy', labels: { app: 'blue' }, wants: [[hasTeam, inA]] });
  const type = aType({ name: 'm', cpu: 2, memoryGi: 4, zones: ['a'], spotUsd: 1 });
  const pools = [aPool({ instanceTypes: [type] })];
  const plan = solve(aSnapshot({ pools }), [muddled, plain, choosy]);
  expect(plan.unplaced.map(({ pod }) => pod.name).sort()).toEqual(['choosy', 'muddled']);
});

test('a pod that is expected on a node counts there for others, though it would like another one', () => {
  const app = { labels: { app: 'web' } };
  const nodePreferences = [{ weight: 1, requirements: requirementsOf([noTeam]) }];
  const expected = aPod({ ...app, name: 'expected', nodePreferences });
  const other = aPod({
    ...app,
    name: 'other',
    wants: [[hasTeam]],
    spread: [overZones({ honorsNodeAffinity: true })],
  });
  const inTeam = (zone: string) => ({ name: zone, labels: { [labels.zone]: zone, team: 'red' } });
  const taints: readonly Taint[] = [{ key: 'full', effect: 'NoSchedule' }];
  const nodes = [
    aNode({ ...inTeam('a'), reservedFor: [expected.uid] }),
    aNode({ ...inTeam('b'), taints }),
  ];
  const plan = solve(aSnapshot({ nodes, pools: [] }), [expected, other]);
  expect(plan.unplaced.map(({ pod }) => pod.name)).toEqual(['other']);
});
