import { describe, expect, test } from 'vitest';
import type { Node, Snapshot } from '../../../src/core/cluster/snapshot.ts';
import type { Question } from '../../../src/server/question.ts';
import { aDaemon, aNode, aPod, aPool, aSnapshot, aType } from '../../../test/validator/builders.ts';
import type { Answer } from './answer.ts';
import { workOut } from './work-out.ts';

const pool = aPool({
  name: 'default',
  instanceTypes: [
    aType({ name: 'm.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.1 }),
    aType({ name: 'm.xlarge', cpu: 4, memoryGi: 16, onDemandUsd: 0.2 }),
  ],
});

/** A node of four cores with some in use. */
function node(name: string, cpuMillis: number, wish: Partial<Node> = {}): Node {
  const owner = { kind: 'Deployment', name: 'old' };
  const pod = aPod({ name: `old-on-${name}`, owner, cpuMillis, nodeName: name });
  return aNode({ name, pods: [pod], priceUsdPerHour: 0.2, ...wish });
}

function asking(snapshot: Partial<Snapshot> = {}, rest: Partial<Question> = {}): Question {
  const namespaces = new Map([['default', {}]]);
  return {
    snapshot: aSnapshot({ pools: [pool], namespaces, ...snapshot }),
    pods: [],
    settings: {},
    ...rest,
  };
}

function deployment(wish: {
  name?: string;
  replicas?: number;
  cpu?: string | number;
  spec?: string;
}): string {
  const { name = 'web', replicas = 3, cpu = 1, spec = '' } = wish;
  return `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      ${spec}
      containers:
        - { name: main, image: nginx, resources: { requests: { cpu: ${cpu} } } }
`;
}

function answered(question: Question, text: string): Answer {
  const reply = workOut(question, { kind: 'manifest', text });
  if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply));
  return reply.answer;
}

function counts({ pods, places, purchases, refused }: Answer) {
  return {
    pods,
    here: places.map(({ nodeName, pods: some }) => [nodeName, some.length]),
    bought: purchases.map(({ count, instanceType, pods: some }) => [count, instanceType, some]),
    refused: refused.map(({ count }) => count),
  };
}

describe('a manifest', () => {
  test('fills nodes that are there, buys the rest, and says what that costs', () => {
    const answer = answered(asking({ nodes: [node('a', 2_000)] }), deployment({ replicas: 6 }));
    expect(counts(answer)).toEqual({
      pods: 6,
      here: [['a', 2]],
      bought: [[2, 'm.large', 4]],
      refused: [],
    });
    expect(answer.usdPerHour).toEqual({ before: 0.2, after: 0.4 });
    expect(answer.newNodes[0]).toMatchObject({
      instanceType: 'm.large',
      cpuMillis: { requested: 2_000, allocatable: 2_000 },
    });
    expect(answer.notes).toEqual([]);
  });

  test('says why a pod finds no place, and what would help', () => {
    const answer = answered(asking(), deployment({ replicas: 2, cpu: 5 }));
    expect(counts(answer)).toMatchObject({ bought: [], refused: [2] });
    const [refused] = answer.refused;
    expect(refused?.sentence).toContain('5 cores');
    expect(refused?.reason.remedies[0]).toContain("lower the pod's cpu request");
  });

  test('leaves pods as they are that are as it wants them, and brings those that are missing', () => {
    const text = deployment({ replicas: 5 });
    const pods = [0, 1].map((index) => ({
      ...aPod({ name: `web-abc-${index}`, owner: { kind: 'Deployment', name: 'web' } }),
      labels: { 'pod-template-hash': 'abc', app: 'web' },
      requests: { cpu: 1_000, pods: 1 },
      tolerations: ['not-ready', 'unreachable'].map((key) => ({
        key: `node.kubernetes.io/${key}`,
        operator: 'Exists' as const,
        effect: 'NoExecute' as const,
      })),
      nodeName: 'a',
    }));
    const question = asking({ nodes: [aNode({ name: 'a', pods, priceUsdPerHour: 0.2 })] });
    const more = answered(question, text);
    expect(counts(more)).toMatchObject({ pods: 3, here: [['a', 2]], bought: [[1, 'm.large', 1]] });
    expect(more.notes).toEqual([
      'Deployment default/web has 2 such pods already; 3 more would come.',
    ]);
    const other = answered(question, deployment({ replicas: 5, cpu: 2 }));
    expect(counts(other)).toMatchObject({ pods: 5, here: [['a', 2]] });
    expect(other.notes[0]).toContain('2 pods that would be replaced');
    const fewer = answered(question, deployment({ replicas: 1 }));
    expect(counts(fewer)).toMatchObject({ pods: 0 });
    expect(fewer.notes[0]).toContain('would have 1 pod fewer');
    expect(answered(question, deployment({ replicas: 0 })).notes[0]).toContain('2 pods fewer');
  });

  test('counts what is bought anyway in both prices, and tells whose place it takes', () => {
    const waiting = [
      aPod({ name: 'waits', cpuMillis: 3_000, owner: { kind: 'Deployment', name: 'w' } }),
    ];
    const limited = { ...pool, limits: { cpu: 4_000 } };
    const question = asking({ pools: [limited] }, { pods: waiting });
    const small = answered(question, deployment({ replicas: 1 }));
    expect(small.usdPerHour).toEqual({ before: 0.2, after: 0.2 });
    expect(small.notes[0]).toContain(
      '1 node for $0.2000/h would be bought anyway, for 1 pod of default/w',
    );
    expect(small.newNodes[0]).toMatchObject({
      pods: [{ name: 'waits' }, { ownerName: 'web' }],
      comers: 1,
    });
    const important = deployment({
      replicas: 1,
      cpu: 4,
      spec: 'priorityClassName: system-cluster-critical',
    });
    const greedy = answered(question, important);
    expect(greedy.notes.join()).toContain(
      '1 pod of default/w that wait already would no longer find a place',
    );
  });

  test('keeps to the settings and the spread of the controller', () => {
    const spread = [
      {
        topologyKey: 'topology.kubernetes.io/zone',
        maxSkew: 1,
        whenUnsatisfiable: 'DoNotSchedule' as const,
      },
    ];
    const answer = answered(
      asking({}, { defaultSpread: spread }),
      deployment({ replicas: 3, cpu: '100m' }),
    );
    expect(answer.purchases.map(({ count }) => count)).toEqual([3]);
  });

  test('brings daemons to new nodes and to those that are there', () => {
    const text = `${deployment({ replicas: 4 })}---${deployment({ name: 'agent', replicas: 1 })
      .replace('kind: Deployment', 'kind: DaemonSet')
      .replace(/ {2}replicas: 1\n/, '')}`;
    const answer = answered(asking({ nodes: [node('a', 2_000)] }), text);
    expect(counts(answer)).toMatchObject({ pods: 4, here: [['a', 1]] });
    expect(answer.notes[0]).toContain('DaemonSet default/agent: new nodes have room for it');
  });

  test('gives a daemon that is there already the size that it would have', () => {
    const agent = { ...aDaemon({ name: 'agent', cpuMillis: 100 }), nodeName: 'a' };
    const busy = node('a', 2_000);
    const question = asking({
      nodes: [{ ...busy, pods: [...busy.pods, agent] }],
      daemons: [aDaemon({ name: 'agent', cpuMillis: 100 })],
    });
    const daemon = (cpu: string) =>
      deployment({ name: 'agent', cpu })
        .replace('kind: Deployment', 'kind: DaemonSet')
        .replace(/ {2}replicas: 3\n/, '');
    const here = (cpu: string) =>
      counts(answered(question, `${deployment({ replicas: 1 })}---${daemon(cpu)}`)).here;
    expect(here('100m')).toEqual([['a', 1]]);
    expect(here('"1"')).toEqual([['a', 1]]);
    expect(here('1100m')).toEqual([]);
  });

  test('leaves the pods of a ReplicaSet as they are, which replaces none', () => {
    const pods = [aPod({ name: 'web-1', owner: { kind: 'ReplicaSet', name: 'web' } })];
    const answer = answered(
      asking({ nodes: [aNode({ name: 'a', pods, priceUsdPerHour: 0.2 })] }),
      deployment({ replicas: 3 }).replace('kind: Deployment', 'kind: ReplicaSet'),
    );
    expect(answer.pods).toBe(2);
    expect(answer.notes).toEqual([
      'ReplicaSet default/web has 1 other pod already; 2 more would come.',
    ]);
  });

  test('says what a page cannot know', () => {
    const spec = [
      'priorityClassName: mine',
      'runtimeClassName: gvisor',
      'volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]',
    ].join('\n      ');
    const text = `${deployment({ spec }).replace('name: web\n', 'name: web\n  namespace: shop\n')}
---
{ apiVersion: v1, kind: Service, metadata: { name: web } }
---
{ apiVersion: karpenter.sh/v1, kind: NodePool, metadata: { name: new } }
`;
    const notes = answered(asking(), text).notes.join('\n');
    expect(notes).toContain('Deployment shop/web: its volumes are not known here');
    expect(notes).toContain('no pod of the cluster has the PriorityClass mine');
    expect(notes).toContain('what RuntimeClass gvisor adds');
    expect(notes).toContain('There is no namespace shop');
    expect(notes).toContain('Left out, as it brings no pods by itself: Service web.');
    expect(notes).toContain('Left out, as pools are taken as they are: NodePool new.');
  });

  test('leaves out what its workload makes, and takes an empty name of a node for none', () => {
    const podSpec = '{ nodeName: "", containers: [{ name: main, image: nginx }] }';
    const owner = (kind: string) =>
      `ownerReferences: [{ apiVersion: apps/v1, kind: ${kind}, name: web, uid: x, controller: true }]`;
    const text = `${deployment({ replicas: 2 })
      .replace('kind: Deployment', 'kind: ReplicaSet')
      .replace('name: web\n', `name: web-1\n  ${owner('Deployment')}\n`)}
---
{ apiVersion: v1, kind: Pod, metadata: { name: web-1-x, ${owner('ReplicaSet')} }, spec: ${podSpec} }
---
{ apiVersion: v1, kind: Pod, metadata: { name: mine, ${owner('Operator')} }, spec: ${podSpec} }
`;
    const answer = answered(asking(), text);
    expect(answer.pods).toBe(1);
    expect(answer.notes).toEqual([
      'Left out, as its workload makes it: ReplicaSet default/web-1 and Pod default/web-1-x.',
    ]);
  });

  test('makes pods of every kind of workload', () => {
    const podSpec = '{ containers: [{ name: main, image: nginx }] }';
    const template = `{ metadata: { labels: { a: b } }, spec: ${podSpec} }`;
    const selector = '{ matchLabels: { a: b } }';
    const list = [
      `{ apiVersion: v1, kind: Pod, metadata: { generateName: p- }, spec: ${podSpec} }`,
      `{ apiVersion: v1, kind: Pod, metadata: { generateName: p- }, spec: ${podSpec} }`,
      `{ apiVersion: apps/v1, kind: ReplicaSet, metadata: { name: r }, spec: { replicas: 2, selector: ${selector}, template: ${template} } }`,
      `{ apiVersion: apps/v1, kind: StatefulSet, metadata: { name: s }, spec: { replicas: 3, selector: ${selector}, template: ${template} } }`,
      `{ apiVersion: batch/v1, kind: Job, metadata: { name: j }, spec: { parallelism: 4, completions: 2, template: ${template} } }`,
      `{ apiVersion: batch/v1, kind: CronJob, metadata: { name: c }, spec: { schedule: "@daily", jobTemplate: { spec: { parallelism: 5, template: ${template} } } } }`,
    ];
    const text = `apiVersion: v1\nkind: List\nitems:\n${list.map((item) => `- ${item}`).join('\n')}`;
    const answer = answered(asking(), text);
    expect(answer.pods).toBe(1 + 1 + 2 + 3 + 2 + 5);
    expect(answer.newNodes.flatMap(({ pods }) => pods)).toHaveLength(14);
    expect(answer.notes).toEqual([
      'StatefulSet default/s: its pods come one by one, and may be bought for one by one.',
      'CronJob default/c: these are the pods of one run.',
    ]);
  });
});

describe('a node that goes', () => {
  const daemon = aDaemon({ name: 'agent', cpuMillis: 100 });

  test('sends its pods elsewhere, and is no longer paid for', () => {
    const question = asking({ nodes: [node('a', 1_000), node('b', 2_000)] });
    const reply = workOut(question, { kind: 'node', name: 'a' });
    if (reply.kind !== 'answer') throw new Error(reply.kind);
    expect(counts(reply.answer)).toEqual({ pods: 1, here: [['b', 1]], bought: [], refused: [] });
    expect(reply.answer.usdPerHour).toEqual({ before: 0.4, after: 0.2 });
  });

  test('needs another one where there is no room', () => {
    const agent = { ...daemon, name: 'agent-a', nodeName: 'a' };
    const gone = node('a', 4_000);
    const question = asking({
      nodes: [{ ...gone, pods: [...gone.pods, agent] }, node('b', 2_000)],
    });
    const reply = workOut(question, { kind: 'node', name: 'a' });
    if (reply.kind !== 'answer') throw new Error(reply.kind);
    expect(counts(reply.answer)).toMatchObject({ pods: 1, here: [], bought: [[1, 'm.xlarge', 1]] });
    expect(reply.answer.notes).toEqual(['1 daemon of the node would go with it.']);
  });

  test('that is on order takes their place from those that wait for it', () => {
    const waiting = ['one', 'two'].map((name) =>
      aPod({ name, cpuMillis: 1_000, owner: { kind: 'Deployment', name: 'web' } }),
    );
    const order = aNode({
      name: 'claim',
      stage: 'ordered',
      priceUsdPerHour: 0.2,
      reservedFor: waiting.map(({ uid }) => uid),
    });
    const reply = workOut(asking({ nodes: [order] }, { pods: waiting }), {
      kind: 'node',
      name: 'claim',
    });
    if (reply.kind !== 'answer') throw new Error(reply.kind);
    expect(counts(reply.answer)).toMatchObject({ pods: 2, here: [], bought: [[1, 'm.large', 2]] });
    expect(reply.answer.usdPerHour).toEqual({ before: 0.2, after: 0.1 });
    expect(reply.answer.notes).toEqual([
      '2 pods of default/web that wait for it would need another place.',
    ]);
  });

  test('that is not there any more is said to be so', () => {
    expect(workOut(asking(), { kind: 'node', name: 'x' })).toEqual({
      kind: 'failed',
      sentence: 'There is no node x any more.',
    });
  });
});

describe('a text that must be mended first', () => {
  test.each([
    { text: '', line: 1, sentence: 'There is nothing here.' },
    { text: 'a: [1', line: 1, sentence: 'This cannot be read' },
    { text: '\n\nhello: world', line: 3, sentence: 'it has no kind' },
    { text: 'a: {{ b }} c', line: 1, sentence: 'A template must be rendered first' },
    {
      text: deployment({}).replace('replicas: 3', 'replica: 3'),
      line: 7,
      sentence: 'Deployment web: spec.replica is no field that is known here; write replicas',
    },
    {
      text: `${deployment({})}---\n${deployment({ name: 'b', replicas: -1 })}`,
      line: 22,
      sentence: 'Deployment b: it asks for -1 pods',
    },
    {
      text: deployment({}).replace('labels: { app: web }', 'labels: { app: x }'),
      line: 8,
      sentence: 'spec.selector does not select the labels of its own template',
    },
    {
      text: deployment({}).replace('apps/v1', 'extensions/v1beta1'),
      line: 2,
      sentence: 'Deployment web: apiVersion must be apps/v1',
    },
    {
      text: `${deployment({})}---\n${deployment({})}`,
      line: 17,
      sentence: 'Deployment default/web is given twice.',
    },
    { text: '- 1\n- 2', line: 1, sentence: 'it has no kind' },
  ])('$sentence', ({ text, line, sentence }) => {
    const reply = workOut(asking(), { kind: 'manifest', text });
    expect(reply).toMatchObject({
      kind: 'problems',
      problems: [{ line, sentence: expect.stringContaining(sentence) }],
    });
  });
});
