import { describe, expect, test } from 'vitest';
import type {
  NodeObject,
  PodObject,
  PodSpec,
  TopologySpreadConstraint,
} from '../../../api/kubernetes/core.ts';
import { chooseNode } from './choose-node.ts';
import { ClusterState } from './cluster-state.ts';
import { feasibility } from './feasibility.ts';
import { schedulingPod } from './placed-pod.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';

interface NodeWish extends Partial<NonNullable<NodeObject['spec']>> {
  readonly zone?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
}

function aNode(name: string, wish: NodeWish = {}): NodeObject {
  const { zone: inZone, labels, allocatable, ...spec } = wish;
  return {
    metadata: { name, labels: { [hostname]: name, ...(inZone && { [zone]: inZone }), ...labels } },
    spec,
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10', ...allocatable } },
  };
}

interface PodWish extends Partial<PodSpec> {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly cpu?: string;
  readonly isLeaving?: boolean;
}

let count = 0;

function aPod(wish: PodWish = {}): PodObject {
  const { namespace = 'default', labels = {}, cpu = '100m', isLeaving, ...spec } = wish;
  const name = `pod-${count++}`;
  const containers = [{ name: 'main', resources: { requests: { cpu } } }];
  return {
    metadata: {
      name,
      namespace,
      labels,
      ...(isLeaving && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { containers, ...spec },
  };
}

interface Scene {
  readonly nodes: readonly NodeObject[];
  readonly placed?: readonly (readonly [string, PodWish])[];
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly volumeZone?: string;
}

function clusterOf(scene: Scene): ClusterState {
  const cluster = new ClusterState({
    namespaceLabels: (name) => scene.namespaces?.[name] ?? {},
    volumeDemands: () => (scene.volumeZone ? [{ [zone]: [scene.volumeZone] }] : []),
  });
  for (const node of scene.nodes) cluster.setNode(node);
  for (const [nodeName, wish] of scene.placed ?? []) cluster.setPod(aPod({ ...wish, nodeName }));
  return cluster;
}

/** The names of the nodes that take the pod, or the message. */
function verdict(scene: Scene, wish: PodWish): readonly string[] | string {
  const answer = feasibility(schedulingPod(aPod(wish)), clusterOf(scene));
  return answer.kind === 'feasible' ? answer.nodes.map((node) => node.name) : answer.message;
}

const web = { labels: { app: 'web' } };
const webSelector = { matchLabels: { app: 'web' } };

function evenlyOver(
  topologyKey: string,
  more: Partial<TopologySpreadConstraint> = {},
): TopologySpreadConstraint {
  const whenUnsatisfiable = 'DoNotSchedule';
  return { maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector: webSelector, ...more };
}
const abc = [aNode('a', { zone: 'z1' }), aNode('b', { zone: 'z2' }), aNode('c', { zone: 'z3' })];

describe('a node takes a pod', () => {
  test.each<{ name: string; scene: Scene; pod: PodWish; nodes: readonly string[] }>([
    {
      name: 'when every resource is free',
      scene: { nodes: [aNode('a'), aNode('b')], placed: [['a', { cpu: '3500m' }]] },
      pod: { cpu: '1' },
      nodes: ['b'],
    },
    {
      name: 'when it has the device asked for',
      scene: { nodes: [aNode('a'), aNode('gpu', { allocatable: { 'nvidia.com/gpu': '1' } })] },
      pod: { containers: [{ name: 'x', resources: { limits: { 'nvidia.com/gpu': 1 } } }] },
      nodes: ['gpu'],
    },
    {
      name: 'whose labels the node selector names',
      scene: { nodes: [aNode('a', { labels: { disk: 'ssd' } }), aNode('b')] },
      pod: { nodeSelector: { disk: 'ssd' } },
      nodes: ['a'],
    },
    {
      name: 'that one of the affinity terms means, by label or by name',
      scene: {
        nodes: [
          aNode('a', { labels: { gen: '5' } }),
          aNode('b', { labels: { gen: '7' } }),
          aNode('c'),
        ],
      },
      pod: {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'gen', operator: 'Gt', values: ['6'] }] },
                { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['c'] }] },
              ],
            },
          },
        },
      },
      nodes: ['b', 'c'],
    },
    {
      name: 'whose taints are tolerated',
      scene: {
        nodes: [
          aNode('a', { taints: [{ key: 'x', value: 'y', effect: 'NoSchedule' }] }),
          aNode('b', { taints: [{ key: 'x', value: 'z', effect: 'NoExecute' }] }),
          aNode('c', { taints: [{ key: 'soft', effect: 'PreferNoSchedule' }] }),
        ],
      },
      pod: { tolerations: [{ key: 'x', operator: 'Equal', value: 'y' }] },
      nodes: ['a', 'c'],
    },
    {
      name: 'on whose host ports nobody sits',
      scene: {
        nodes: [aNode('a'), aNode('b')],
        placed: [
          [
            'a',
            {
              containers: [
                { name: 'x', ports: [{ containerPort: 80, hostPort: 80, hostIP: '10.0.0.1' }] },
              ],
            },
          ],
        ],
      },
      pod: { containers: [{ name: 'x', ports: [{ containerPort: 80, hostPort: 80 }] }] },
      nodes: ['b'],
    },
    {
      name: 'in the zone of its bound volume',
      scene: { nodes: abc, volumeZone: 'z2' },
      pod: {},
      nodes: ['b'],
    },
    {
      name: 'where spreading stays even',
      scene: {
        nodes: abc,
        placed: [
          ['a', web],
          ['b', web],
        ],
      },
      pod: {
        ...web,
        topologySpreadConstraints: [evenlyOver(zone)],
      },
      nodes: ['c'],
    },
    {
      name: 'where spreading is even because leaving pods do not count',
      scene: { nodes: abc, placed: [['a', { ...web, isLeaving: true }]] },
      pod: {
        ...web,
        topologySpreadConstraints: [evenlyOver(zone)],
      },
      nodes: ['a', 'b', 'c'],
    },
    {
      name: 'when too few domains make the minimum zero',
      scene: { nodes: abc.slice(0, 2), placed: [['a', web]] },
      pod: {
        ...web,
        topologySpreadConstraints: [evenlyOver(zone, { minDomains: 3 })],
      },
      nodes: ['b'],
    },
    {
      name: 'when a tainted domain is left out of the minimum on request',
      scene: {
        nodes: [
          aNode('a', { zone: 'z1' }),
          aNode('b', { zone: 'z2', taints: [{ key: 't', effect: 'NoSchedule' }] }),
        ],
        placed: [['a', web]],
      },
      pod: {
        ...web,
        topologySpreadConstraints: [evenlyOver(zone, { nodeTaintsPolicy: 'Honor' })],
      },
      nodes: ['a'],
    },
    {
      name: 'near the pods it wants to be with',
      scene: { nodes: abc, placed: [['b', web]] },
      pod: {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: zone, labelSelector: webSelector },
            ],
          },
        },
      },
      nodes: ['b'],
    },
    {
      name: 'anywhere when it is the first of a group that wants its own kind',
      scene: { nodes: abc },
      pod: {
        ...web,
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: zone, labelSelector: webSelector },
            ],
          },
        },
      },
      nodes: ['a', 'b', 'c'],
    },
    {
      name: 'away from the pods it avoids, in the namespaces it means',
      scene: {
        nodes: abc,
        placed: [
          ['a', { ...web, namespace: 'shop' }],
          ['b', { ...web, namespace: 'other' }],
        ],
        namespaces: { shop: { team: 'one' } },
      },
      pod: {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: zone,
                labelSelector: webSelector,
                namespaceSelector: { matchLabels: { team: 'one' } },
              },
            ],
          },
        },
      },
      nodes: ['b', 'c'],
    },
    {
      name: 'away from pods that avoid it',
      scene: {
        nodes: abc,
        placed: [
          [
            'a',
            {
              affinity: {
                podAntiAffinity: {
                  requiredDuringSchedulingIgnoredDuringExecution: [
                    { topologyKey: zone, labelSelector: webSelector },
                  ],
                },
              },
            },
          ],
        ],
      },
      pod: web,
      nodes: ['b', 'c'],
    },
  ])('$name', ({ scene, pod, nodes }) => {
    expect(verdict(scene, pod)).toEqual(nodes);
  });
});

describe('the message says what kube-scheduler says', () => {
  test('when there are no nodes', () => {
    expect(verdict({ nodes: [] }, {})).toBe('no nodes available to schedule pods');
  });

  test('each node under the first rule that rejects it, with what preemption could do', () => {
    const tainted = {
      taints: [{ key: 'CriticalAddonsOnly', value: 'true', effect: 'NoSchedule' }],
    } as const;
    const full = { allocatable: { pods: '1' } };
    const nodes = [
      aNode('a', tainted),
      aNode('b', { ...tainted, unschedulable: false }),
      aNode('c', full),
      aNode('d', full),
      aNode('e', { ...full, allocatable: { pods: '1', cpu: '50m' } }),
      aNode('f', { unschedulable: true }),
    ];
    const placed = ['c', 'd', 'e'].map((name) => [name, { cpu: '10m' }] as const);
    expect(verdict({ nodes, placed }, {})).toBe(
      '0/6 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, 2 node(s) had untolerated taint(s), 3 Too many pods. no new claims to deallocate, preemption: 0/6 nodes are available: 2 No preemption victims found for incoming pod, 4 Preemption is not helpful for scheduling.',
    );
  });
});

describe('among nodes that all take the pod', () => {
  test.each<{ name: string; scene: Scene; pod: PodWish; chosen: string }>([
    {
      name: 'the emptier one is chosen',
      scene: {
        nodes: abc,
        placed: [
          ['a', { cpu: '2' }],
          ['c', { cpu: '1' }],
        ],
      },
      pod: {},
      chosen: 'b',
    },
    { name: 'equals are taken by name', scene: { nodes: abc }, pod: {}, chosen: 'a' },
    {
      name: 'a preferred label outweighs emptiness',
      scene: { nodes: abc, placed: [['c', { cpu: '1' }]] },
      pod: {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 5,
                preference: { matchExpressions: [{ key: zone, operator: 'In', values: ['z3'] }] },
              },
            ],
          },
        },
      },
      chosen: 'c',
    },
    {
      name: 'a soft taint is avoided',
      scene: {
        nodes: [aNode('a', { taints: [{ key: 's', effect: 'PreferNoSchedule' }] }), aNode('b')],
      },
      pod: {},
      chosen: 'b',
    },
    {
      name: 'pods of one workload are spread',
      scene: {
        nodes: abc,
        placed: [
          ['a', web],
          ['b', { cpu: '100m' }],
        ],
      },
      pod: web,
      chosen: 'c',
    },
    {
      name: 'preferred company is sought',
      scene: { nodes: abc, placed: [['b', web]] },
      pod: {
        affinity: {
          podAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 50, podAffinityTerm: { topologyKey: zone, labelSelector: webSelector } },
            ],
          },
        },
      },
      chosen: 'b',
    },
  ])('$name', ({ scene, pod: wish, chosen }) => {
    const cluster = clusterOf(scene);
    const pod = schedulingPod(aPod(wish));
    expect(chooseNode({ pod, nodes: cluster.nodes(), cluster })?.name).toBe(chosen);
  });
});

describe('a nominated node', () => {
  function nominated(node: string, wish: PodWish = {}): PodObject {
    return { ...aPod(wish), status: { nominatedNodeName: node } };
  }
  function aCluster(): ClusterState {
    const cluster = new ClusterState({ namespaceLabels: () => ({}), volumeDemands: () => [] });
    for (const name of ['a', 'b', 'c']) cluster.setNode(aNode(name));
    return cluster;
  }
  const namesFor = (pod: PodObject, cluster: ClusterState): readonly string[] | string => {
    const answer = feasibility(schedulingPod(pod), cluster);
    return answer.kind === 'feasible' ? answer.nodes.map(({ name }) => name) : answer.message;
  };

  test('is the only one that is looked at, while it has room', () => {
    const cluster = aCluster();
    expect(namesFor(nominated('b', { cpu: '3' }), cluster)).toEqual(['b']);
    expect(namesFor(nominated('gone', { cpu: '3' }), cluster)).toEqual(['a', 'b', 'c']);
    cluster.assume(schedulingPod(aPod({ cpu: '2' })), 'b');
    expect(namesFor(nominated('b', { cpu: '3' }), cluster)).toEqual(['a', 'c']);
  });

  test('keeps its room from pods of the same priority, and from nobody above', () => {
    const cluster = aCluster();
    const promised = schedulingPod(nominated('b', { cpu: '3' }));
    cluster.promise(promised);
    expect(namesFor(aPod({ cpu: '2' }), cluster)).toEqual(['a', 'c']);
    expect(namesFor(aPod({ cpu: '1' }), cluster)).toEqual(['a', 'b', 'c']);
    expect(namesFor(aPod({ cpu: '2', priority: 7 }), cluster)).toEqual(['a', 'b', 'c']);
    cluster.assume(promised, 'c');
    expect(namesFor(aPod({ cpu: '2' }), cluster)).toEqual(['a', 'b']);
  });

  test('keeps away whom its pod must not meet, and who must not meet its pod', () => {
    const cluster = aCluster();
    const labels = { app: 'web' };
    const apart = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: labels }, topologyKey: hostname },
        ],
      },
    };
    cluster.promise(schedulingPod(nominated('a', { affinity: apart })));
    cluster.promise(schedulingPod(nominated('b', { labels })));
    expect(namesFor(aPod({ labels }), cluster)).toEqual(['b', 'c']);
    expect(namesFor(aPod({ affinity: apart }), cluster)).toEqual(['a', 'c']);
    expect(namesFor(aPod({ affinity: apart, labels, priority: 7 }), cluster)).toHaveLength(3);
  });

  test('counts its pod where pods are spread', () => {
    const cluster = aCluster();
    const labels = { app: 'web' };
    const topologySpreadConstraints: TopologySpreadConstraint[] = [
      {
        maxSkew: 1,
        topologyKey: hostname,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: labels },
      },
    ];
    cluster.promise(schedulingPod(nominated('b', { labels })));
    expect(namesFor(aPod({ labels, topologySpreadConstraints }), cluster)).toEqual(['a', 'c']);
    expect(namesFor(aPod({ topologySpreadConstraints }), cluster)).toEqual(['a', 'b', 'c']);
  });

  test('keeps a host port too', () => {
    const cluster = aCluster();
    const containers = [{ name: 'c', ports: [{ containerPort: 80, hostPort: 80 }] }];
    cluster.promise(schedulingPod(nominated('b', { containers })));
    expect(namesFor(aPod({ containers }), cluster)).toEqual(['a', 'c']);
  });
});
