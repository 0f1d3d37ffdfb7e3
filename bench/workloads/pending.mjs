// Families of pending pods. Each returns the objects beside the pods and the pods themselves.

import {
  daemonSets,
  deployment,
  hostSpread,
  keys,
  nodePool,
  nodeTerm,
  pod,
  podTerm,
  replicaOf,
  requireNode,
  zoneSpread,
} from './objects.mjs';

const CPU_CHOICES = [100, 250, 500, 1000, 1500];
const MEMORY_CHOICES = [100, 256, 512, 1024, 2048, 4096];
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const benchmarkSize = (random) => ({
  cpuM: random.pick(CPU_CHOICES),
  memoryMi: random.pick(MEMORY_CHOICES),
});
const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));

// The mix of upstream's own benchmark: fifths of plain, zone-spread, host-spread, zone-affine and host-anti-affine pods.
// As there, the spread selector is drawn apart from the pod's own label.
export function diverse({ random, pods }) {
  const fifth = Math.floor(pods / 5);
  const label = () => ({ 'my-label': random.pick(LETTERS) });
  const nginx = { app: 'nginx' };
  const affine = () => {
    const labels = { 'my-affinity': random.pick(LETTERS) };
    return {
      labels,
      spec: {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [podTerm(keys.zone, labels)],
          },
        },
      },
    };
  };
  const shapes = [
    ['generic', fifth, () => ({ labels: label() })],
    [
      'zone-spread',
      fifth,
      () => ({ labels: label(), spec: { topologySpreadConstraints: [zoneSpread(label())] } }),
    ],
    [
      'host-spread',
      fifth,
      () => ({ labels: label(), spec: { topologySpreadConstraints: [hostSpread(label())] } }),
    ],
    ['zone-affinity', fifth, affine],
    [
      'host-anti-affinity',
      fifth,
      () => ({
        labels: nginx,
        spec: {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [podTerm(keys.hostname, nginx)],
            },
          },
        },
      }),
    ],
    ['remainder', pods - 5 * fifth, () => ({ labels: label() })],
  ];
  return {
    pods: shapes.flatMap(([name, count, make]) =>
      times(count, (i) =>
        pod(random, { name: `${name}-${i}`, size: benchmarkSize(random), ...make() }),
      ),
    ),
  };
}

// `kubectl create deployment nginx --replicas=N`, with requests.
export function identical({ random, pods }) {
  const app = { name: 'nginx', labels: { app: 'nginx' }, size: { cpuM: 500, memoryMi: 1024 } };
  return { objects: deployment({ ...app, replicas: pods }), pods: replicas(random, app, pods) };
}

const replicas = (random, app, count) =>
  times(count, (i) =>
    pod(random, { ...app, name: `${app.name}-${i}`, ownedBy: replicaOf(app.name) }),
  );

// GiB of memory per core, for CPU-heavy, balanced and memory-heavy services.
const PROFILES = [
  { name: 'cpu', ratio: 1.2 },
  { name: 'even', ratio: 4 },
  { name: 'memory', ratio: 9 },
];

export function serviceSize(random, profile) {
  const cpuM = Math.min(8000, Math.max(50, Math.round(random.logNormal(300, 0.9) / 10) * 10));
  const memory = (cpuM / 1000) * profile.ratio * 1024 * random.logNormal(1, 0.25);
  return { cpuM, memoryMi: Math.min(65536, Math.max(64, Math.round(memory / 16) * 16)) };
}

// Shares of a total by a Zipf law, each at least one, adding up exactly.
export function zipfShares(total, parts) {
  const weights = times(parts, (i) => 1 / (i + 1));
  const sum = weights.reduce((a, b) => a + b, 0);
  const shares = weights.map((w) => Math.max(1, Math.floor((total * w) / sum)));
  for (
    let i = 0, rest = total - shares.reduce((a, b) => a + b, 0);
    rest !== 0;
    i = (i + 1) % parts
  ) {
    const step = Math.sign(rest);
    if (shares[i] + step >= 1) {
      shares[i] += step;
      rest -= step;
    }
  }
  return shares;
}

export function serviceApps(random, total, parts = 40) {
  return zipfShares(total, Math.min(parts, total)).map((count, i) => {
    const profile = PROFILES[i % PROFILES.length];
    const name = `${profile.name}-${String(i).padStart(2, '0')}`;
    const labels = { app: name };
    const spec = {};
    if (random.chance(0.3)) spec.topologySpreadConstraints = [zoneSpread(labels)];
    if (random.chance(0.15)) spec.nodeSelector = { [keys.arch]: random.pick(['amd64', 'arm64']) };
    if (random.chance(0.15))
      spec.nodeSelector = { ...spec.nodeSelector, [keys.capacityType]: 'on-demand' };
    return { name, labels, size: serviceSize(random, profile), spec, replicas: count };
  });
}

export function web({ random, pods }) {
  const apps = serviceApps(random, pods);
  return {
    objects: [...daemonSets(), ...apps.flatMap(deployment)],
    pods: apps.flatMap((app) => replicas(random, app, app.replicas)),
  };
}

// Everything soft: each deployment carries some of the five kinds of preference.
export function preferences({ random, pods, zones }) {
  const apps = zipfShares(pods, Math.min(20, pods)).map((count, i) => {
    const name = `soft-${String(i).padStart(2, '0')}`;
    const labels = { app: name };
    const weigh = (podAffinityTerm) => [{ weight: random.integer(1, 100), podAffinityTerm }];
    const affinity = {};
    const spec = { affinity };
    if (random.chance(0.6))
      affinity.podAntiAffinity = {
        preferredDuringSchedulingIgnoredDuringExecution: weigh(podTerm(keys.hostname, labels)),
      };
    if (random.chance(0.4))
      affinity.podAffinity = {
        preferredDuringSchedulingIgnoredDuringExecution: weigh(
          podTerm(keys.zone, { app: `soft-${String(random.integer(0, i)).padStart(2, '0')}` }),
        ),
      };
    if (random.chance(0.5)) {
      affinity.nodeAffinity = {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 50, preference: nodeTerm(keys.zone, 'In', [random.pick(zones)]) },
          ...(random.chance(0.5)
            ? [{ weight: 10, preference: nodeTerm('example.com/rack', 'In', ['r1']) }]
            : []),
        ],
      };
    }
    const anyway = [];
    if (random.chance(0.7)) anyway.push(zoneSpread(labels, { hard: false }));
    if (random.chance(0.5)) anyway.push(hostSpread(labels, { hard: false }));
    if (anyway.length) spec.topologySpreadConstraints = anyway;
    return { name, labels, size: benchmarkSize(random), spec, replicas: count };
  });
  return {
    objects: apps.flatMap(deployment),
    pods: apps.flatMap((app) => replicas(random, app, app.replicas)),
  };
}

function evenApps(random, pods, parts, specOf) {
  const count = Math.min(parts, pods);
  return times(count, (i) => {
    const name = `app-${String(i).padStart(2, '0')}`;
    const labels = { app: name };
    const share = Math.floor(pods / count) + (i < pods % count ? 1 : 0);
    return { name, labels, size: benchmarkSize(random), spec: specOf(labels, i), replicas: share };
  });
}

// Twenty deployments whose replicas refuse to share a host.
export function antiAffinity({ random, pods }) {
  const apps = evenApps(random, pods, 20, (labels) => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [podTerm(keys.hostname, labels)],
      },
    },
  }));
  return {
    objects: apps.flatMap(deployment),
    pods: apps.flatMap((app) => replicas(random, app, app.replicas)),
  };
}

// Twenty deployments spread over hosts with skews of 1 to 4.
export function spreadXl({ random, pods }) {
  const apps = evenApps(random, pods, 20, (labels, i) => ({
    topologySpreadConstraints: [hostSpread(labels, { maxSkew: 1 + (i % 4) })],
  }));
  return {
    objects: apps.flatMap(deployment),
    pods: apps.flatMap((app) => replicas(random, app, app.replicas)),
  };
}

// Why a pod can never run, each with a spec that says so. The reason is kept as a label for whoever checks the answers.
const IMPOSSIBLE = [
  ['unknown-label', () => ({ nodeSelector: { 'example.com/nowhere': 'yes' } })],
  ['too-much-cpu', () => ({}), { cpuM: 5_000_000, memoryMi: 1024 }],
  ['too-much-memory', () => ({}), { cpuM: 1000, memoryMi: 500_000_000 }],
  [
    'zone-contradiction',
    (zones) => ({
      nodeSelector: { [keys.zone]: zones[0] },
      affinity: requireNode(nodeTerm(keys.zone, 'In', [zones[1]])),
    }),
  ],
  ['unknown-zone', () => ({ nodeSelector: { [keys.zone]: 'mars-north-1a' } })],
  ['untolerated-taint', () => ({ nodeSelector: { 'example.com/dedicated': 'batch' } })],
  ['unknown-arch', () => ({ nodeSelector: { [keys.arch]: 's390x' } })],
  ['unknown-nodepool', () => ({ nodeSelector: { [keys.nodePool]: 'missing' } })],
  ['avoids-karpenter', () => ({ affinity: requireNode(nodeTerm(keys.nodePool, 'DoesNotExist')) })],
  [
    'affinity-to-nobody',
    () => ({
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [podTerm(keys.zone, { app: 'nobody' })],
        },
      },
    }),
  ],
  [
    'missing-claim',
    () => ({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'missing' } }] }),
  ],
];

export function constrained({ random, pods, zones, awsLabels }) {
  const impossible = Math.floor(pods / 5);
  const good = web({ random, pods: pods - impossible });
  const dedicated = nodePool({
    name: 'dedicated',
    awsLabels,
    labels: { 'example.com/dedicated': 'batch' },
    taints: [{ key: 'example.com/dedicated', value: 'batch', effect: 'NoSchedule' }],
  });
  const bad = times(impossible, (i) => {
    const [reason, spec, size] = IMPOSSIBLE[i % IMPOSSIBLE.length];
    return pod(random, {
      name: `impossible-${i}-${reason}`,
      labels: { app: 'impossible', reason },
      size: size ?? benchmarkSize(random),
      spec: spec(zones),
    });
  });
  return { objects: [...good.objects, dedicated], pods: [...good.pods, ...bad] };
}

// StatefulSets whose volumes are already bound to zones, and a fifth whose volumes will follow the pod.
export function stateful({ random, pods, zones }) {
  const objects = [
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'gp3', uid: 'storageclass-gp3' },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
      reclaimPolicy: 'Delete',
    },
  ];
  const made = [];
  for (let set = 0; made.length < pods; set++) {
    const name = `db-${String(set).padStart(3, '0')}`;
    const labels = { app: name };
    const size = serviceSize(random, PROFILES[random.integer(1, 2)]);
    const unbound = random.chance(0.2);
    const base = random.chance(0.5)
      ? { topologySpreadConstraints: [zoneSpread(labels, { maxSkew: 2 })] }
      : {};
    const count = Math.min(random.integer(3, 9), pods - made.length);
    for (let i = 0; i < count; i++) {
      const claimName = `data-${name}-${i}`;
      objects.push(...volume(claimName, unbound ? undefined : zones[(set + i) % zones.length]));
      made.push(
        pod(random, {
          name: `${name}-${i}`,
          labels,
          size,
          ownedBy: ['apps/v1', 'StatefulSet', name],
          spec: { ...base, volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] },
        }),
      );
    }
  }
  return { objects, pods: made };
}

function volume(claimName, zone) {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: claimName, namespace: 'default', uid: `pvc-${claimName}` },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'gp3',
      resources: { requests: { storage: '20Gi' } },
    },
    status: { phase: zone ? 'Bound' : 'Pending' },
  };
  if (!zone) return [claim];
  claim.metadata.annotations = {
    'pv.kubernetes.io/bind-completed': 'yes',
    'pv.kubernetes.io/bound-by-controller': 'yes',
  };
  claim.spec.volumeName = `pv-${claimName}`;
  return [
    claim,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `pv-${claimName}`, uid: `pv-${claimName}` },
      spec: {
        capacity: { storage: '20Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'gp3',
        csi: { driver: 'ebs.csi.aws.com', volumeHandle: `vol-${claimName}` },
        claimRef: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          namespace: 'default',
          name: claimName,
          uid: `pvc-${claimName}`,
        },
        nodeAffinity: { required: { nodeSelectorTerms: [nodeTerm(keys.zone, 'In', [zone])] } },
      },
      status: { phase: 'Bound' },
    },
  ];
}
