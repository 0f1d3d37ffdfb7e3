import { expect, test } from 'vitest';
import { readManifests } from '../../src/cli/planning/manifests.ts';
import type { PlanReport } from '../../src/cli/planning/report.ts';
import { reportText } from '../../src/cli/planning/report-text.ts';
import { makePlan } from '../../src/cli/planning/run.ts';
import { defaultGates } from '../../src/controllers/feature-gates.ts';
import { huge, inflate, oldPool, oneByOne, strangers } from './manifests.ts';

const flags = {
  region: 'us-west-2',
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
  featureGates: defaultGates,
  caution: 0.2,
  schedulerConfig: [],
} as const;

async function plan(...texts: readonly string[]) {
  const sources = texts.map((text, index) => ({ name: `${index}.yaml`, relative: '', text }));
  return makePlan(readManifests(sources), flags);
}

async function planned(...texts: readonly string[]): Promise<PlanReport> {
  const report = await plan(...texts);
  if ('problems' in report) throw new Error(report.problems.join('\n'));
  return report;
}

test('pools of an old version and another account are used as if the account were there', async () => {
  const { nodes, notes, cost } = await planned(oldPool, inflate);
  expect(nodes).toMatchObject([
    { count: 1, nodePool: 'general', instanceType: 'm5.xlarge', capacityType: 'on-demand' },
  ]);
  expect(nodes[0]?.instanceTypes).toBe(1);
  expect(cost.usdPerHour).toBe(0.192);
  const [pool, nodeClass] = notes;
  expect(pool).toMatch(/^0\.yaml:1: NodePool general is read as karpenter convert writes it/);
  expect(nodeClass).toMatch(/^0\.yaml:12: EC2NodeClass base is read as karpenter convert/);
  expect(notes.join('\n')).toMatch(/EC2NodeClass base: what it asks AWS for .* is taken as found/);
  expect(notes.join('\n')).not.toMatch(/karpenter start/);
});

test('pods that come one by one are all planned, and those that never come are told', async () => {
  const { workloads, notes } = await planned(oneByOne);
  expect(workloads).toMatchObject([{ kind: 'StatefulSet', pods: 3, onNewNodes: 3 }]);
  expect(notes).toContain('StatefulSet db: the volumes that it makes are left out.');

  const stuck = await planned(oneByOne.replace('cpu: "1"', 'cpu: "500"'));
  expect(stuck.unplaced).toMatchObject([{ name: 'default/db', pods: 1, code: 'too-large' }]);
  expect(stuck.notes).toContain('StatefulSet default/db has made 1 of its 3 pods.');
});

test('whatever has no part in the plan is named, with the reason', async () => {
  const report = await planned(strangers);
  expect(report.workloads).toEqual([]);
  expect(report.ignored).toEqual([
    { object: '0.yaml:1: Node ip-10-0-0-1', reason: 'a plan knows no nodes of yours' },
    { object: '0.yaml:5: Pod running', reason: 'it has a node already' },
    { object: '0.yaml:10: ReplicaSet web-5d4f', reason: 'another object makes it' },
    { object: '0.yaml:36', reason: 'it is no object of Kubernetes' },
    { object: '0.yaml:16: CronJob nightly', reason: 'nothing makes its pods here' },
    {
      object: '0.yaml:23: ServiceMonitor web (monitoring.coreos.com/v1)',
      reason: 'the embedded API server does not know its kind',
    },
    {
      object: '0.yaml:27: Rollout web (argoproj.io/v1alpha1)',
      reason: 'the embedded API server does not know its kind',
    },
    {
      object: '0.yaml:31: CapacityBuffer spare',
      reason: 'its feature gate is off (--feature-gates CapacityBuffer=true)',
    },
  ]);
  const text = reportText(report);
  expect(text).toContain('Nothing in these manifests needs a place.');
  expect(text).toContain(
    'Ignored, as the embedded API server does not know its kind: ' +
      '0.yaml:23: ServiceMonitor web (monitoring.coreos.com/v1) and 0.yaml:27: Rollout web (argoproj.io/v1alpha1).',
  );
});

test('what the server would refuse later is refused beforehand: pods of a workload too', async () => {
  const important = huge.replace(
    '      containers:',
    '      priorityClassName: high\n      containers:',
  );
  expect(await plan(important)).toEqual({
    problems: [
      expect.stringMatching(/^0\.yaml:7: Deployment huge: .*no PriorityClass with name high/),
    ],
  });
});

test('objects as a cluster tells them can be planned for another', async () => {
  const live = inflate.replace(
    'metadata: {name: inflate}',
    'metadata: {name: inflate, uid: "1", resourceVersion: "7", creationTimestamp: "2026-01-01T00:00:00Z", generation: 2}',
  );
  const { workloads } = await planned(`${live}status: {replicas: 3}\n`);
  expect(workloads).toMatchObject([{ name: 'default/inflate', pods: 3, onNewNodes: 3 }]);
});
