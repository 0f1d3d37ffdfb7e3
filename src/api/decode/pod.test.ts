import { describe, expect, test } from 'vitest';
import { termsOf } from '../../core/requirements/requirements.ts';
import type { Container, PodObject, PodSpec } from '../kubernetes/core.ts';
import type { ObjectMeta } from '../resource.ts';
import { decodeDaemon, decodePod } from './pod.ts';

const mebibyte = 2 ** 20;

function container(cpu: string, rest: Partial<Container> = {}): Container {
  return { name: 'main', resources: { requests: { cpu } }, ...rest };
}

function pod(
  spec: Partial<PodSpec>,
  metadata: Partial<ObjectMeta> = {},
  status: PodObject['status'] = {},
): PodObject {
  return {
    metadata: { name: 'web', namespace: 'default', uid: 'u', ...metadata },
    spec: { containers: [], ...spec },
    status,
  };
}

describe('what a pod asks for', () => {
  const sidecar = { restartPolicy: 'Always' };
  test.each<{ name: string; spec: Partial<PodSpec>; cpu: number }>([
    { name: 'nothing', spec: {}, cpu: 0 },
    {
      name: 'the sum of its containers',
      spec: { containers: [container('1'), container('250m')] },
      cpu: 1250,
    },
    {
      name: 'its largest init container, if that is more',
      spec: { containers: [container('1')], initContainers: [container('500m'), container('3')] },
      cpu: 3000,
    },
    {
      name: 'sidecars beside the containers',
      spec: { containers: [container('1')], initContainers: [container('500m', sidecar)] },
      cpu: 1500,
    },
    {
      name: 'sidecars beside the init containers that follow them',
      spec: {
        containers: [container('1')],
        initContainers: [container('2'), container('1', sidecar), container('3')],
      },
      cpu: 4000,
    },
    {
      name: 'its overhead on top',
      spec: { containers: [container('1')], overhead: { cpu: '250m' } },
      cpu: 1250,
    },
    {
      name: 'pod-level requests in place of the containers’',
      spec: {
        containers: [container('1')],
        resources: { requests: { cpu: '2', 'example.com/x': 1 } },
        overhead: { cpu: '1' },
      },
      cpu: 3000,
    },
    {
      name: 'a limit where there is no request',
      spec: { containers: [{ name: 'a', resources: { limits: { cpu: '2' } } }] },
      cpu: 2000,
    },
    {
      name: 'a pod-level limit where there is no request',
      spec: { containers: [{ name: 'a' }], resources: { limits: { cpu: '2' } } },
      cpu: 2000,
    },
    {
      name: 'what containers ask for rather than a pod-level limit',
      spec: { containers: [container('1')], resources: { limits: { cpu: '2' } } },
      cpu: 1000,
    },
  ])('$name', ({ spec, cpu }) => {
    const { requests } = decodePod(pod(spec));
    expect(requests.cpu ?? 0).toBe(cpu);
    expect(requests.pods).toBe(1);
    expect(requests['example.com/x']).toBeUndefined();
  });

  test('every resource counts by itself', () => {
    const decoded = decodePod(
      pod({
        containers: [{ name: 'a', resources: { requests: { memory: '100Mi' } } }],
        initContainers: [{ name: 'b', resources: { requests: { cpu: '1', memory: '64Mi' } } }],
      }),
    );
    expect(decoded.requests).toEqual({ cpu: 1000, memory: 100 * mebibyte, pods: 1 });
  });

  describe('while a container is resized in place', () => {
    const containers = [container('1')];
    const held = (cpu: string, allocated: string): PodObject['status'] => ({
      containerStatuses: [
        {
          name: 'main',
          resources: { requests: { cpu } },
          allocatedResources: { cpu: allocated },
        },
      ],
    });
    const infeasible = [
      { type: 'PodResizePending', status: 'True' as const, reason: 'Infeasible' },
    ];
    test.each([
      { name: 'what it still holds counts if that is more', status: held('2', '1'), cpu: 2000 },
      { name: 'what was granted counts if that is more', status: held('1', '3'), cpu: 3000 },
      { name: 'what it wishes for counts if that is more', status: held('1m', '2m'), cpu: 1000 },
      {
        name: 'a wish that cannot be met does not count',
        status: { ...held('500m', '500m'), conditions: infeasible },
        cpu: 500,
      },
    ])('$name', ({ status, cpu }) => {
      expect(decodePod(pod({ containers }, {}, status)).requests.cpu).toBe(cpu);
    });

    test('what is newly wished for, and cannot be had, does not count', () => {
      const wished = [{ name: 'main', resources: { requests: { cpu: '1', memory: '1Gi' } } }];
      const status = { ...held('500m', '500m'), conditions: infeasible };
      const { requests } = decodePod(pod({ containers: wished }, {}, status));
      expect(requests).toEqual({ cpu: 500, pods: 1 });
    });

    test('what is held for an init container that comes and goes does not count', () => {
      const initContainers = [container('1', { name: 'first' })];
      const initContainerStatuses = [{ name: 'first', resources: { requests: { cpu: '3' } } }];
      const status = { initContainerStatuses };
      expect(decodePod(pod({ containers, initContainers }, {}, status)).requests.cpu).toBe(1000);
    });

    test('pod-level requests follow the same rule', () => {
      const spec = { containers, resources: { requests: { cpu: '2' } } };
      const status = { resources: { requests: { cpu: '4' } } };
      expect(decodePod(pod(spec, {}, status)).requests.cpu).toBe(4000);
    });
  });

  test('a quantity that is none is told, not thrown', () => {
    const decoded = decodePod(pod({ containers: [container('lots')] }));
    expect(decoded.invalid).toEqual(['container main: request cpu: "lots" is not a quantity']);
  });
});

describe('where a pod may go', () => {
  const required = (...nodeSelectorTerms: object[]): Partial<PodSpec> =>
    ({
      nodeSelector: { team: 'red' },
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
      },
    }) as Partial<PodSpec>;

  test('the selector and each required term are alternatives', () => {
    const decoded = decodePod(
      pod(
        required(
          { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] },
          { matchExpressions: [{ key: 'zone', operator: 'Exists' }] },
        ),
      ),
    );
    expect(decoded.nodeAlternatives.map(termsOf)).toEqual([
      [
        { key: 'team', operator: 'In', values: ['red'] },
        { key: 'zone', operator: 'In', values: ['a'] },
      ],
      [
        { key: 'team', operator: 'In', values: ['red'] },
        { key: 'zone', operator: 'Exists' },
      ],
    ]);
  });

  test('without wishes one empty alternative', () => {
    expect(decodePod(pod({})).nodeAlternatives).toEqual([new Map()]);
  });

  test('terms that match no node are told', () => {
    expect(decodePod(pod(required({}))).invalid).toHaveLength(1);
    expect(decodePod(pod(required())).invalid).toHaveLength(1);
  });

  test('host ports of containers and sidecars count, of init containers not', () => {
    const port = (hostPort: number) => [{ containerPort: 1, hostPort }];
    const decoded = decodePod(
      pod({
        containers: [{ name: 'a', ports: [...port(80), { containerPort: 9 }] }],
        initContainers: [
          { name: 'b', ports: port(81) },
          { name: 'c', ports: port(82), restartPolicy: 'Always' },
        ],
      }),
    );
    expect(decoded.hostPorts).toEqual([
      { ip: '', port: 80, protocol: 'TCP' },
      { ip: '', port: 82, protocol: 'TCP' },
    ]);
  });

  test('on the host’s network every port is a host port', () => {
    const ports = [{ containerPort: 9100 }, { containerPort: 53, hostPort: 53, protocol: 'UDP' }];
    const containers = [{ name: 'a', ports }];
    expect(decodePod(pod({ containers, hostNetwork: true })).hostPorts).toEqual([
      { ip: '', port: 9100, protocol: 'TCP' },
      { ip: '', port: 53, protocol: 'UDP' },
    ]);
  });

  test('fields are asked for like labels, preferences keep their weight', () => {
    const decoded = decodePod(
      pod({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] },
              ],
            },
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 7,
                preference: { matchExpressions: [{ key: 'disk', operator: 'Exists' }] },
              },
              { weight: 9, preference: {} },
            ],
          },
        },
      }),
    );
    expect(decoded.nodeAlternatives.map(termsOf)).toEqual([
      [{ key: 'metadata.name', operator: 'In', values: ['n'] }],
    ]);
    expect(
      decoded.nodePreferences?.map(({ weight, requirements }) => [weight, requirements.size]),
    ).toEqual([[7, 1]]);
  });

  test('only device claims are not placed by, and they are named', () => {
    const term = { topologyKey: 'zone' };
    const decoded = decodePod(
      pod({
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
        volumes: [{ name: 'b', persistentVolumeClaim: { claimName: 'data' } }],
        resourceClaims: [{}],
      }),
    );
    expect(decoded.unsupported).toEqual(['resourceClaims']);
  });
});

describe('what a pod is', () => {
  const owned = (apiVersion: string, kind: string, name = 'o') =>
    decodePod(
      pod({}, { ownerReferences: [{ apiVersion, kind, name, uid: 'x', controller: true }] }),
    );

  test('a daemon belongs to an apps/v1 DaemonSet', () => {
    expect(owned('apps/v1', 'DaemonSet').isDaemon).toBe(true);
    expect(owned('example.com/v1', 'DaemonSet').isDaemon).toBe(false);
  });

  test('a mirror belongs to a Node or says so', () => {
    expect(owned('v1', 'Node').isMirror).toBe(true);
    const annotated = pod({}, { annotations: { 'kubernetes.io/config.mirror': 'x' } });
    expect(decodePod(annotated).isMirror).toBe(true);
  });

  test('people know the Deployment, not its ReplicaSet', () => {
    const metadata = {
      labels: { 'pod-template-hash': '7c5' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-7c5', uid: 'x' }],
    };
    expect(decodePod(pod({}, metadata)).owner).toEqual({ kind: 'Deployment', name: 'web' });
    expect(owned('apps/v1', 'ReplicaSet', 'web-7c5').owner?.kind).toBe('ReplicaSet');
  });

  test('unschedulable is what the scheduler says, unless it promised a node', () => {
    const conditions = [
      { type: 'PodScheduled', status: 'False' as const, reason: 'Unschedulable' },
    ];
    expect(decodePod(pod({}, {}, { conditions })).isUnschedulable).toBe(true);
    expect(decodePod(pod({}, {}, { conditions, nominatedNodeName: 'n' })).isUnschedulable).toBe(
      false,
    );
    expect(decodePod(pod({})).isUnschedulable).toBe(false);
  });

  test('a node that we expect it on ourselves is no promise: it still needs its place', () => {
    const conditions = [
      { type: 'PodScheduled', status: 'False' as const, reason: 'Unschedulable' },
    ];
    const status = { conditions, nominatedNodeName: 'n' };
    const by = (manager: string, operation: string) => ({
      managedFields: [
        {
          manager,
          operation,
          subresource: 'status',
          fieldsV1: { 'f:status': { 'f:nominatedNodeName': {} } },
        },
      ],
    });
    const ours = pod({}, by('karpenter-nomination', 'Apply'), status);
    expect(decodePod(ours).isUnschedulable).toBe(true);
    const schedulers = pod({}, by('kube-scheduler', 'Update'), status);
    expect(decodePod(schedulers).isUnschedulable).toBe(false);
  });

  test.each([
    { wish: 'true', forever: true, untilMs: undefined },
    { wish: '1h', forever: false, untilMs: 3_600_000 },
    { wish: '0s', forever: false, untilMs: undefined },
    { wish: 'false', forever: false, untilMs: undefined },
    { wish: 'soon', forever: false, untilMs: undefined },
  ])('do-not-disrupt "$wish"', ({ wish, forever, untilMs }) => {
    const annotations = { 'karpenter.sh/do-not-disrupt': wish };
    const decoded = decodePod(pod({}, { annotations }, { startTime: '1970-01-01T00:00:00Z' }));
    expect(decoded.doNotDisrupt).toBe(forever);
    expect(decoded.doNotDisruptUntilMs).toBe(untilMs);
  });

  test('a protected pod that has not started is protected', () => {
    const annotations = { 'karpenter.sh/do-not-disrupt': '1h' };
    expect(decodePod(pod({}, { annotations })).doNotDisruptUntilMs).toBe(Infinity);
  });
});

test('a DaemonSet becomes the pod that it will put on a node', () => {
  const decoded = decodeDaemon({
    metadata: { name: 'logs', namespace: 'kube-system', uid: 'd' },
    spec: {
      selector: {},
      template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: '100m' } } }] } },
    },
  });
  expect(decoded).toMatchObject({
    isDaemon: true,
    owner: { kind: 'DaemonSet', name: 'logs' },
    requests: { cpu: 100, pods: 1 },
  });
  expect(decoded.tolerations.map(({ key }) => key)).toContain('node.kubernetes.io/unschedulable');
});
