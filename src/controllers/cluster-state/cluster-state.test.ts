import { describe, expect, test } from 'vitest';
import { collectedLog } from '../../../test/world/collected-log.ts';
import { createKubeClient } from '../../adapters/kube/client.ts';
import { createSeededRandom } from '../../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../../adapters/system/virtual-clock.ts';
import type { DefaultSpread } from '../../api/decode/default-spread.ts';
import type { DaemonSetObject, NodeObject, PodObject } from '../../api/kubernetes/core.ts';
import type { VolumeClaimObject } from '../../api/kubernetes/volume.ts';
import type { KubeObject } from '../../api/resource.ts';
import type { Informer } from '../../runtime/informer.ts';
import { defaultGates } from '../feature-gates.ts';
import { ClusterState } from './cluster-state.ts';
import { createInformers } from './informers.ts';
import { InstanceTypeBook } from './instance-type-book.ts';
import { ReservationLedger } from './ledger.ts';

const unschedulable = {
  conditions: [{ type: 'PodScheduled', status: 'False' as const, reason: 'Unschedulable' }],
};

/** A cluster state whose informers are told by the test what a server would tell them. */
function aState(defaultSpread?: readonly DefaultSpread[]) {
  const clock = createVirtualClock(0);
  const random = createSeededRandom(1);
  const errors: string[] = [];
  const log = collectedLog('state', () => true, errors);
  const send = () => Promise.reject(new Error('there is no server here'));
  const kube = createKubeClient({ send, clock, log });
  const services = defaultSpread !== undefined;
  const informers = createInformers({ kube, clock, log, random }, { ...defaultGates, services });
  const ledger = new ReservationLedger(20_000);
  const cloud = {} as never;
  const types = new InstanceTypeBook({ cloud, log, nodeClasses: informers.nodeClasses });
  const state = new ClusterState({ informers, types, ledger, clock, defaultSpread });
  let version = 0;
  const tell = <T extends KubeObject>(informer: Informer<T>, object: T): void =>
    informer.apply({
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(++version) },
    });
  return { state, informers, ledger, tell };
}

function node(name: string): NodeObject {
  return {
    metadata: { name, uid: name, labels: { 'kubernetes.io/hostname': name } },
    status: { allocatable: { cpu: '8', pods: '58' }, capacity: { cpu: '8', pods: '58' } },
  };
}

function pod(name: string, nodeName?: string, status: PodObject['status'] = {}): PodObject {
  return {
    metadata: { name, namespace: 'default', uid: name, labels: { app: 'web' } },
    spec: {
      ...(nodeName === undefined ? {} : { nodeName }),
      containers: [{ name: 'main', resources: { requests: { cpu: '250m' } } }],
    },
    status: nodeName === undefined ? unschedulable : status,
  };
}

const finished = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };

function aCluster({ nodes, podsPerNode }: { nodes: number; podsPerNode: number }) {
  const cluster = aState();
  const { informers, tell, state } = cluster;
  for (let n = 0; n < nodes; n++) {
    tell(informers.nodes, node(`n${n}`));
    for (let p = 0; p < podsPerNode; p++) tell(informers.pods, pod(`p${n}-${p}`, `n${n}`));
  }
  state.snapshot();
  return cluster;
}

test('a DaemonSet of which only the status changed gives nobody a place', () => {
  const { state, informers, tell } = aState();
  const daemon = {
    metadata: { name: 'agent', namespace: 'kube-system', uid: 'agent' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'c' }] } },
    },
  };
  tell(informers.daemonSets, daemon);
  const [before, supply] = [state.snapshot(), state.supply()];
  tell(informers.daemonSets, { ...daemon, status: { numberReady: 3 } });
  expect(state.supply()).toBe(supply);
  expect(state.snapshot()).toBe(before);
});

describe('a snapshot costs what changed since the one before', () => {
  test('new pods that wait touch no node', () => {
    const { state, informers, tell } = aCluster({ nodes: 300, podsPerNode: 10 });
    const before = { snapshot: state.snapshot(), work: state.work() };
    for (let i = 0; i < 50; i++) tell(informers.pods, pod(`new-${i}`));
    expect(state.pendingPods()).toHaveLength(50);
    expect(state.snapshot()).toBe(before.snapshot);
    expect(state.work()).toEqual({ pods: before.work.pods + 50, nodes: before.work.nodes });
  });

  test('pods that wait are the same list until one of them changes, or what is behind them', () => {
    const { state, informers, tell } = aCluster({ nodes: 3, podsPerNode: 1 });
    tell(informers.pods, {
      ...pod('a'),
      spec: {
        ...pod('a').spec,
        volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }],
      },
    });
    const before = state.pendingPods();
    tell(informers.pods, pod('bound', 'n1'));
    expect(state.pendingPods()).toBe(before);
    tell(informers.volumeClaims, { metadata: { name: 'd', namespace: 'default' } });
    expect(state.pendingPods()[0]?.invalid).not.toEqual(before[0]?.invalid);
    tell(informers.pods, pod('b'));
    expect(state.pendingPods().map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('pods that are bound touch their own nodes, and all others stay the same values', () => {
    const { state, informers, tell } = aCluster({ nodes: 300, podsPerNode: 10 });
    const before = { snapshot: state.snapshot(), work: state.work() };
    for (let i = 0; i < 50; i++) tell(informers.pods, pod(`new-${i}`, `n${i}`));
    const { nodes, pools } = state.snapshot();
    expect(state.work()).toEqual({ pods: before.work.pods + 50, nodes: before.work.nodes + 50 });
    const isChanged = nodes.map((one, i) => one !== before.snapshot.nodes[i]);
    expect(isChanged.filter(Boolean)).toHaveLength(50);
    expect(pools).toBe(before.snapshot.pools);
  });

  test('nodes stay in order of name and up to date, whichever come, change and go', () => {
    const { state, informers, tell } = aCluster({ nodes: 4, podsPerNode: 1 });
    const seen = () =>
      state.snapshot().nodes.map(({ name, pods }) => `${name} ${pods.map((one) => one.name)}`);
    const before = state.snapshot().nodes;
    tell(informers.pods, pod('x', 'n3'));
    tell(informers.pods, pod('y', 'n1'));
    expect(seen()).toEqual(['n0 p0-0', 'n1 p1-0,y', 'n2 p2-0', 'n3 p3-0,x']);
    tell(informers.nodes, node('n15'));
    tell(informers.pods, pod('z', 'n2'));
    tell(informers.nodes, { ...node('n0'), metadata: { name: 'n0', uid: 'n0', ...finished } });
    expect(seen()).toEqual(['n1 p1-0,y', 'n15 ', 'n2 p2-0,z', 'n3 p3-0,x']);
    tell(informers.pods, pod('v', 'n15'));
    expect(seen()).toEqual(['n1 p1-0,y', 'n15 v', 'n2 p2-0,z', 'n3 p3-0,x']);
    // What was handed out stays as it was.
    expect(before.map(({ pods }) => pods.length)).toEqual([1, 1, 1, 1]);
  });

  test('a change of status that decides nothing changes nothing', () => {
    const { state, informers, tell } = aCluster({ nodes: 3, podsPerNode: 2 });
    const before = state.snapshot();
    tell(informers.pods, pod('p1-0', 'n1', { phase: 'Running', podIP: '10.0.0.1' }));
    tell(informers.nodes, { ...node('n1'), spec: { podCIDR: '10.0.0.0/24' } });
    expect(state.snapshot()).toBe(before);
  });
});

describe('catching up', () => {
  test('looks at one node in a step, and leaves nothing to the snapshot', () => {
    const { state, informers, tell } = aState();
    for (let n = 0; n < 50; n++) {
      tell(informers.nodes, node(`n${n}`));
      for (let p = 0; p < 10; p++) tell(informers.pods, pod(`p${n}-${p}`, `n${n}`));
    }
    const steps = state.catchingUp();
    let before = state.work();
    while (steps.next().done !== true) {
      const now = state.work();
      expect(now.pods - before.pods).toBeLessThanOrEqual(10);
      expect(now.nodes - before.nodes).toBeLessThanOrEqual(1);
      before = now;
    }
    expect(before).toEqual({ pods: 500, nodes: 50 });
    expect(state.snapshot().nodes).toHaveLength(50);
    expect(state.work()).toEqual(before);
  });

  test('what changes meanwhile, or was not reached yet, is in the snapshot all the same', () => {
    const { state, informers, tell } = aState();
    for (let n = 0; n < 5; n++) tell(informers.nodes, node(`n${n}`));
    const steps = state.catchingUp();
    steps.next();
    tell(informers.pods, pod('late', 'n0'));
    const [first, ...others] = state.snapshot().nodes;
    expect(first?.pods.map(({ name }) => name)).toEqual(['late']);
    expect(others).toHaveLength(4);
    expect(steps.next().done).toBe(true);
  });
});

describe('what may give a place to pods that have none', () => {
  test.each<{ name: string; isMore: boolean; act: (cluster: ReturnType<typeof aState>) => void }>([
    {
      name: 'a pod that is bound only takes room',
      isMore: false,
      act: ({ informers, tell }) => tell(informers.pods, pod('x', 'n1')),
    },
    {
      name: 'a reservation only takes room',
      isMore: false,
      act: ({ ledger }) => ledger.reserve('x', { kind: 'node', name: 'n1' }, 0),
    },
    {
      name: 'a pod that goes gives room',
      isMore: true,
      act: ({ informers, tell }) => {
        const gone = pod('p1-0', 'n1');
        tell(informers.pods, { ...gone, metadata: { ...gone.metadata, ...finished } });
      },
    },
    {
      name: 'a new node gives room',
      isMore: true,
      act: ({ informers, tell }) => tell(informers.nodes, node('n9')),
    },
    {
      name: 'a node whose taints change may give room',
      isMore: true,
      act: ({ informers, tell }) =>
        tell(informers.nodes, {
          ...node('n1'),
          spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] },
        }),
    },
    {
      name: 'a new namespace may be selected',
      isMore: true,
      act: ({ informers, tell }) => tell(informers.namespaces, { metadata: { name: 'shop' } }),
    },
  ])('$name', ({ isMore, act }) => {
    const cluster = aCluster({ nodes: 3, podsPerNode: 2 });
    const before = cluster.state.supply();
    act(cluster);
    expect(cluster.state.supply() !== before).toBe(isMore);
  });

  test('a reserved pod that is bound where it was expected changes nothing', () => {
    const { state, informers, ledger, tell } = aCluster({ nodes: 3, podsPerNode: 2 });
    ledger.reserve('x', { kind: 'node', name: 'n1' }, 0);
    const before = state.supply();
    tell(informers.pods, pod('x', 'n1'));
    ledger.release('x');
    expect(state.supply()).toBe(before);
  });
});

describe('volumes', () => {
  const stored: PodObject = {
    ...pod('db', 'n1'),
    spec: {
      nodeName: 'n1',
      containers: [],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  };
  const claim: VolumeClaimObject = {
    metadata: { name: 'data', namespace: 'default' },
    spec: { volumeName: 'pv' },
    status: { phase: 'Bound' },
  };
  const volume = { metadata: { name: 'pv' }, spec: { csi: { driver: 'ebs.csi.aws.com' } } };

  test('are looked up again when an object behind them changes', () => {
    const { state, informers, tell } = aCluster({ nodes: 3, podsPerNode: 1 });
    tell(informers.pods, stored);
    const podOnNode = () =>
      state.snapshot().nodes.flatMap((one) => one.pods.filter(({ name }) => name === 'db'))[0];
    expect(podOnNode()?.invalid).toEqual(['persistentVolumeClaim default/data does not exist']);
    tell(informers.volumeClaims, claim);
    tell(informers.volumes, volume);
    expect(podOnNode()?.invalid).toBeUndefined();
    expect(podOnNode()?.volumes?.attachments).toEqual({ 'ebs.csi.aws.com': ['default/data'] });
  });

  test('a node can attach what its CSINode says', () => {
    const { state, informers, tell } = aCluster({ nodes: 1, podsPerNode: 0 });
    const drivers = [{ name: 'ebs.csi.aws.com', allocatable: { count: 25 } }];
    tell(informers.csiNodes, { metadata: { name: 'n0' }, spec: { drivers } });
    expect(state.snapshot().nodes[0]?.attachLimits).toEqual({ 'ebs.csi.aws.com': 25 });
  });
});

describe('with a default spread', () => {
  const byZone: DefaultSpread = {
    topologyKey: 'topology.kubernetes.io/zone',
    maxSkew: 1,
    whenUnsatisfiable: 'DoNotSchedule',
  };
  const service = {
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { app: 'web' } },
  };

  test('pods that wait, and pods on nodes, are decoded again when a Service comes to select them', () => {
    const { state, informers, tell } = aState([byZone]);
    const { services } = informers;
    if (services === undefined) throw new Error('Services are not watched');
    tell(informers.nodes, node('n0'));
    tell(informers.pods, pod('bound', 'n0'));
    tell(informers.pods, pod('waiting'));
    const spreads = () =>
      [...(state.snapshot().nodes[0]?.pods ?? []), ...state.pendingPods()].map(
        (one) => one.spread?.length ?? 0,
      );
    expect(spreads()).toEqual([0, 0]);
    tell(services, service);
    expect(spreads()).toEqual([1, 1]);
    tell(services, { ...service, spec: { selector: { app: 'db' } } });
    expect(spreads()).toEqual([0, 0]);
    const before = state.work();
    expect(spreads()).toEqual([0, 0]);
    expect(state.work()).toEqual(before);
  });

  test('without one Services are not watched', () => {
    expect(aState().informers.services).toBeUndefined();
  });
});

test('a node that a claim takes over is told once, under its claim', () => {
  const { state, informers, tell } = aCluster({ nodes: 0, podsPerNode: 0 });
  tell(informers.nodes, { ...node('ip-1'), spec: { providerID: 'aws:///a/i-1' } });
  expect(state.snapshot().nodes.map((one) => one.claimName)).toEqual([undefined]);
  const claim = {
    metadata: { name: 'web-1' },
    spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
    status: { providerID: 'aws:///a/i-1' },
  };
  tell(informers.nodeClaims, claim);
  expect(state.snapshot().nodes.map((one) => one.claimName)).toEqual(['web-1']);
  tell(informers.nodeClaims, { ...claim, metadata: { ...claim.metadata, ...finished } });
  expect(state.snapshot().nodes.map((one) => one.claimName)).toEqual([undefined]);
});

describe('a daemon', () => {
  const daemonSet: DaemonSetObject = {
    metadata: { name: 'agent', namespace: 'default', uid: 'set' },
    spec: {
      selector: {},
      template: {
        spec: { containers: [{ name: 'main', resources: { requests: { cpu: '100m' } } }] },
      },
    },
  };
  const made = (name: string, cpu: string, creationTimestamp: string): PodObject => ({
    metadata: {
      ...pod(name).metadata,
      creationTimestamp,
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'set', controller: true },
      ],
    },
    spec: { nodeName: 'n', containers: [{ name: 'main', resources: { requests: { cpu } } }] },
  });

  test('asks for what its template says, or for what the latest of its pods was given', () => {
    const { state, informers, tell } = aState();
    const cpu = (): number | undefined => state.snapshot().daemons[0]?.requests.cpu;
    tell(informers.daemonSets, daemonSet);
    expect(cpu()).toBe(100);
    tell(informers.pods, made('b', '300m', '2026-01-02T00:00:00Z'));
    tell(informers.pods, made('a', '900m', '2026-01-01T00:00:00Z'));
    expect(cpu()).toBe(300);
    tell(informers.pods, made('c', '50m', '2026-01-03T00:00:00Z'));
    expect(cpu()).toBe(100);
    const gone = made('c', '50m', '2026-01-03T00:00:00Z');
    tell(informers.pods, { ...gone, metadata: { ...gone.metadata, ...finished } });
    expect(cpu()).toBe(300);
  });

  test('is the same value while pods of other sets come and go', () => {
    const { state, informers, tell } = aState();
    tell(informers.daemonSets, daemonSet);
    tell(informers.pods, made('a', '300m', '2026-01-01T00:00:00Z'));
    const { daemons } = state.snapshot();
    tell(informers.pods, made('b', '300m', '2026-01-02T00:00:00Z'));
    tell(informers.pods, pod('other', 'n'));
    expect(state.snapshot().daemons).toBe(daemons);
  });
});
