import { describe, expect, test } from 'vitest';
import type { JsonObject } from './json.ts';
import { builtInKinds } from './kinds/built-in.ts';
import { type Kind, KindRegistry } from './kinds.ts';
import { acceptsTable, type Table, toTable } from './table.ts';

const nowMs = Date.parse('2026-11-16T10:00:00Z');
const creationTimestamp = '2026-11-16T09:59:00Z';
const kinds = new KindRegistry(builtInKinds());

function kindOf(group: string, plural: string): Kind {
  const kind = kinds.find(group, 'v1', plural);
  if (kind === undefined) throw new Error(`no kind ${plural}`);
  return kind;
}

/** Cells under their headers, with the wide ones last in the same record. */
function cells(group: string, plural: string, object: JsonObject): Record<string, unknown> {
  const metadata = { name: 'it', creationTimestamp, ...(object.metadata as JsonObject) };
  return byColumn(toTable(kindOf(group, plural), [{ ...object, metadata }], { nowMs }));
}

function byColumn(table: Table): Record<string, unknown> {
  const columns = table.columnDefinitions ?? [];
  return Object.fromEntries(
    columns.map((column, index) => [column.name, table.rows[0]?.cells[index]]),
  );
}

const template = {
  spec: {
    nodeSelector: { k: 'v' },
    containers: [
      { name: 'c1', image: 'i1' },
      { name: 'c2', image: 'i2' },
    ],
  },
};
const selector = {
  matchLabels: { a: 'b' },
  matchExpressions: [
    { key: 'z', operator: 'In', values: ['y', 'x'] },
    { key: 'q', operator: 'Exists' },
    { key: 'n', operator: 'DoesNotExist' },
  ],
};

/** Each as a kube-apiserver 1.36 showed it. */
const shown: readonly {
  readonly of: readonly [group: string, plural: string];
  readonly object: JsonObject;
  readonly shows: Record<string, unknown>;
}[] = [
  {
    of: ['', 'nodes'],
    object: {
      metadata: {
        name: 'n1',
        labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'infra' },
      },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        nodeInfo: {
          kubeletVersion: 'v1.36.3',
          kernelVersion: '6.1',
          architecture: 'arm64',
          osImage: 'Bottlerocket',
        },
      },
    },
    shows: {
      Name: 'n1',
      Status: 'Ready,SchedulingDisabled',
      Roles: 'infra,worker',
      Age: '60s',
      Version: 'v1.36.3',
      'Internal-IP': '10.0.0.1',
      'External-IP': '<none>',
      'OS-Image': 'Bottlerocket',
      'Kernel-Version': '6.1 (arm64)',
      'Container-Runtime': '<unknown>',
    },
  },
  { of: ['', 'nodes'], object: {}, shows: { Status: 'Unknown', Roles: '<none>', Version: '' } },
  {
    of: ['apps', 'deployments'],
    object: {
      spec: { replicas: 3, selector, template },
      status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
    },
    shows: {
      Name: 'it',
      Ready: '1/3',
      'Up-to-date': 2,
      Available: 1,
      Age: '60s',
      Containers: 'c1,c2',
      Images: 'i1,i2',
      Selector: 'a=b,!n,q,z in (x,y)',
    },
  },
  {
    of: ['apps', 'replicasets'],
    object: { spec: { replicas: 2, selector: {}, template }, status: { replicas: 1 } },
    shows: { Desired: 2, Current: 1, Ready: 0, Selector: '<none>' },
  },
  {
    of: ['apps', 'daemonsets'],
    object: { spec: { selector, template }, status: { desiredNumberScheduled: 4, numberReady: 3 } },
    shows: { Desired: 4, Current: 0, Ready: 3, 'Up-to-date': 0, 'Node Selector': 'k=v' },
  },
  {
    of: ['apps', 'statefulsets'],
    object: { spec: { replicas: 2, template }, status: { readyReplicas: 2 } },
    shows: { Ready: '2/2', Containers: 'c1,c2' },
  },
  {
    of: ['apps', 'controllerrevisions'],
    object: {
      revision: 3,
      metadata: {
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', controller: true },
        ],
      },
    },
    shows: { Controller: 'daemonset.apps/d', Revision: 3 },
  },
  {
    of: ['batch', 'jobs'],
    object: {
      spec: { completions: 4, template },
      status: {
        succeeded: 4,
        startTime: '2026-11-16T09:00:00Z',
        completionTime: '2026-11-16T09:05:30Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    },
    shows: { Status: 'Complete', Completions: '4/4', Duration: '5m30s', Selector: '<none>' },
  },
  {
    of: ['batch', 'jobs'],
    object: {
      spec: { parallelism: 2, template },
      status: { conditions: [{ type: 'Suspended', status: 'True' }] },
    },
    shows: { Status: 'Suspended', Completions: '0/1 of 2', Duration: '' },
  },
  {
    of: ['batch', 'cronjobs'],
    object: { spec: { schedule: '* * 1 1 *', suspend: true, jobTemplate: { spec: { template } } } },
    shows: {
      Schedule: '* * 1 1 *',
      Timezone: '<none>',
      Suspend: 'True',
      Active: 0,
      'Last Schedule': '<none>',
      Images: 'i1,i2',
    },
  },
  {
    of: ['', 'services'],
    object: {
      spec: {
        type: 'LoadBalancer',
        clusterIPs: ['10.96.1.1'],
        selector: { b: 'c', app: 'a' },
        ports: [
          { port: 80, nodePort: 30080, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
      },
    },
    shows: {
      Type: 'LoadBalancer',
      'Cluster-IP': '10.96.1.1',
      'External-IP': '<pending>',
      'Port(s)': '80:30080/TCP,53/UDP',
      Selector: 'app=a,b=c',
    },
  },
  {
    of: ['', 'services'],
    object: { spec: { type: 'ExternalName', externalName: 'x.example.com' } },
    shows: { 'Cluster-IP': '<none>', 'External-IP': 'x.example.com', 'Port(s)': '<none>' },
  },
  {
    of: ['', 'endpoints'],
    object: {
      subsets: [
        {
          addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }],
          ports: [{ port: 80 }, { port: 81 }],
        },
      ],
    },
    shows: { Endpoints: '10.0.0.1:80,10.0.0.2:80,10.0.0.1:81 + 1 more...' },
  },
  {
    of: ['', 'events'],
    object: {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec.containers{x}' },
      reason: 'Started',
      type: 'Normal',
      message: ' hello ',
      source: { component: 'kubelet', host: 'h' },
      count: 3,
      firstTimestamp: '2026-11-16T09:00:00Z',
      lastTimestamp: '2026-11-16T09:59:50Z',
    },
    shows: {
      'Last Seen': '10s',
      Type: 'Normal',
      Reason: 'Started',
      Object: 'pod/p',
      Subobject: 'spec.containers{x}',
      Source: 'kubelet, h',
      Message: 'hello',
      'First Seen': '60m',
      Count: 3,
      Name: 'it',
    },
  },
  {
    of: ['policy', 'poddisruptionbudgets'],
    object: { spec: { maxUnavailable: 0 } },
    shows: { 'Min Available': 'N/A', 'Max Unavailable': '0', 'Allowed Disruptions': 0 },
  },
  {
    of: ['', 'persistentvolumeclaims'],
    object: { spec: { storageClassName: 'fast' }, status: { phase: 'Pending' } },
    shows: {
      Status: 'Pending',
      Volume: '',
      Capacity: '',
      'Access Modes': '',
      StorageClass: 'fast',
      VolumeAttributesClass: '<unset>',
      VolumeMode: '<unset>',
    },
  },
  {
    of: ['', 'persistentvolumes'],
    object: {
      spec: {
        accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
        capacity: { storage: '2Gi' },
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'a', name: 'b' },
      },
      status: { phase: 'Bound' },
    },
    shows: { Capacity: '2Gi', 'Access Modes': 'RWO,RWX', Status: 'Bound', Claim: 'a/b' },
  },
  {
    of: ['storage.k8s.io', 'storageclasses'],
    object: {
      metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'x.y',
    },
    shows: {
      Name: 'it (default)',
      Provisioner: 'x.y',
      ReclaimPolicy: 'Delete',
      VolumeBindingMode: 'Immediate',
      AllowVolumeExpansion: false,
    },
  },
  { of: ['', 'configmaps'], object: { data: { a: '' } }, shows: { Data: 1 } },
  { of: ['', 'secrets'], object: { type: 'Opaque' }, shows: { Type: 'Opaque', Data: 0 } },
  {
    of: ['coordination.k8s.io', 'leases'],
    object: { spec: { holderIdentity: 'me' } },
    shows: { Name: 'it', Holder: 'me', Age: '60s' },
  },
  {
    of: ['apiextensions.k8s.io', 'customresourcedefinitions'],
    object: {},
    shows: { Name: 'it', 'Created At': creationTimestamp },
  },
  {
    of: ['scheduling.k8s.io', 'priorityclasses'],
    object: { value: 10, preemptionPolicy: 'Never' },
    shows: { Value: 10, 'Global-Default': false, PreemptionPolicy: 'Never' },
  },
];

describe('tables of built-in kinds', () => {
  test.each(shown)('$of.1: $shows', ({ of: [group, plural], object, shows }) => {
    expect(cells(group, plural, object)).toMatchObject(shows);
  });
});

const thing: Kind = {
  ...kindOf('', 'configmaps'),
  group: 'example.com',
  kind: 'Thing',
  plural: 'things',
  isCustom: true,
  printerColumns: [
    { name: 'Size', type: 'string', jsonPath: '.spec.size' },
    { name: 'List', type: 'string', jsonPath: '.spec.list' },
    { name: 'Num', type: 'integer', jsonPath: '.spec.num', priority: 1 },
    { name: 'Flag', type: 'boolean', jsonPath: '.spec.flag' },
    { name: 'When', type: 'date', jsonPath: '.spec.when' },
  ],
};

describe('tables of custom resources', () => {
  test('show the columns of the definition in their types', () => {
    const spec = { size: 1.5, list: ['a', 'b'], num: 4, flag: true, when: '2026-11-16T09:00:00Z' };
    const table = toTable(thing, [{ metadata: { name: 't' }, spec }], { nowMs });
    expect(byColumn(table)).toEqual({
      Name: 't',
      Size: '1.5',
      List: '["a","b"]',
      Num: 4,
      Flag: true,
      When: '60m',
    });
    expect(table.columnDefinitions?.find(({ name }) => name === 'Num')?.priority).toBe(1);
  });

  test('leave out what is missing or of another type', () => {
    const spec = { num: 'text', flag: 'no', when: 'never' };
    const table = toTable(thing, [{ metadata: { name: 't' }, spec }], { nowMs });
    expect(table.rows[0]?.cells).toEqual(['t', null, null, null, null, '<invalid>']);
  });

  test('without columns of their own show name and age', () => {
    const kind = { ...thing, printerColumns: [] };
    const table = toTable(kind, [{ metadata: { name: 't', creationTimestamp } }], { nowMs });
    expect(byColumn(table)).toEqual({ Name: 't', Age: '60s' });
  });
});

describe('the rest of a table', () => {
  const kind = kindOf('', 'configmaps');
  const object = { metadata: { name: 'c', resourceVersion: '7' }, data: {} };

  test.each([
    {
      includeObject: undefined,
      row: {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: object.metadata,
      },
    },
    { includeObject: 'None', row: null },
    { includeObject: 'Object', row: { kind: 'ConfigMap', apiVersion: 'v1', ...object } },
  ] as const)('includeObject=$includeObject', ({ includeObject, row }) => {
    expect(toTable(kind, [object], { nowMs, includeObject }).rows[0]?.object).toEqual(row);
  });

  test('metadata is that of the list, or the version of the only object', () => {
    const metadata = { resourceVersion: '9', continue: 'x' };
    expect(toTable(kind, [object], { nowMs, metadata }).metadata).toBe(metadata);
    expect(toTable(kind, [object], { nowMs }).metadata).toEqual({ resourceVersion: '7' });
  });

  test('later events of a watch leave the columns out', () => {
    expect(toTable(kind, [object], { nowMs, columns: 'omit' }).columnDefinitions).toBeNull();
  });

  test.each([
    { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json', wants: true },
    { accept: 'application/json, application/json;as=Table;v=v1;g=meta.k8s.io', wants: false },
    { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', wants: false },
    { accept: undefined, wants: false },
  ])('Accept: $accept', ({ accept, wants }) => {
    expect(acceptsTable(accept)).toBe(wants);
  });
});
