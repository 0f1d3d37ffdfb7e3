import { resourceListOf } from '../../src/api/decode/resources.ts';
import { claimNames } from '../../src/api/decode/volumes.ts';
import { nodes, type PodObject, pods } from '../../src/api/kubernetes/core.ts';
import { storageClasses, volumeClaims, volumes } from '../../src/api/kubernetes/volume.ts';
import type { KubeObject, Resource } from '../../src/api/resource.ts';
import type { Snapshot } from '../../src/core/cluster/snapshot.ts';
import { subtract } from '../../src/core/quantity/resources.ts';
import type { Plan } from '../../src/core/scheduling/plan.ts';
import { isKubeError, type KubeClient } from '../../src/ports/kube.ts';
import { meetsOne } from '../validator/label-rules.ts';
import type { Place } from '../validator/places.ts';
import { toleratesAll } from '../validator/pod-rules.ts';

const gate = 'example.com/wait-for-the-judge';

/** The objects of one plan on a real API server: its nodes, the pods that it places, their volumes. */
export interface Stage {
  readonly nodeNames: ReadonlyMap<Place, string>;
  clear(): Promise<void>;
}

export interface StageParts {
  readonly client: KubeClient;
  readonly name: string;
  readonly items: readonly KubeObject[];
  readonly snapshot: Snapshot;
  readonly plan: Plan;
  readonly places: readonly Place[];
}

export async function setStage(parts: StageParts): Promise<Stage> {
  const { client, places } = parts;
  const nodeNames = new Map(places.map((place, i) => [place, `${parts.name}-${i}`]));
  const made: (() => Promise<unknown>)[] = [];
  const create = async <T extends KubeObject>(kind: Resource<T>, object: T): Promise<void> => {
    const { name, namespace } = object.metadata;
    try {
      await client.create(kind, object);
    } catch (error) {
      if (!isKubeError(error, 'already-exists')) throw error;
    }
    made.push(() => client.delete(kind, { name, namespace }, { gracePeriodSeconds: 0 }));
  };
  await Promise.all(
    places.map((place, i) =>
      create(nodes, nodeOf(parts, { place, i, name: nodeNames.get(place) ?? '' })),
    ),
  );
  await Promise.all(volumesOf(parts).map(([kind, object]) => create(kind, object)));
  await Promise.all(gatedPods(parts).map((pod) => create(pods, pod)));
  return {
    nodeNames,
    clear: async () => {
      await Promise.all(made.map((undo) => undo()));
    },
  };
}

/** A node as it would be once launched as planned; what its daemons take is taken off already. */
function nodeOf(
  { snapshot, plan }: StageParts,
  { place, i, name }: { readonly place: Place; readonly i: number; readonly name: string },
): KubeObject {
  const order = plan.newNodes[i];
  const type = order?.instanceTypes.find(({ name: one }) => one === order.cheapest.instanceType);
  if (order === undefined || type === undefined) throw new Error(`${place.name} is not new`);
  const left = snapshot.daemons
    .filter((daemon) => toleratesAll(daemon, place.taints))
    .filter((daemon) => meetsOne(place.expected, daemon.nodeAlternatives))
    .reduce((free, daemon) => subtract(free, daemon.requests), type.allocatable);
  const node = {
    metadata: { name, labels: { ...place.expected, 'kubernetes.io/hostname': name } },
    spec: { taints: place.taints },
    status: {
      capacity: resourceListOf(type.capacity),
      allocatable: resourceListOf(left),
      conditions: [{ type: 'Ready', status: 'True', reason: 'Judged', message: '' }],
    },
  };
  return node;
}

function gatedPods({ items, places }: StageParts): readonly PodObject[] {
  const placed = new Set(places.flatMap((place) => place.newcomers.map((pod) => pod.uid)));
  return items
    .filter((item) => item.kind === 'Pod' && placed.has(item.metadata.uid ?? ''))
    .map((item) => item as PodObject)
    .map(({ metadata: { name, namespace, labels }, spec }) => ({
      metadata: { name, ...(namespace && { namespace }), ...(labels && { labels }) },
      spec: { ...spec, schedulingGates: [{ name: gate }] },
    }));
}

/**
 * The volumes of the placed pods. Where one is to follow its pod, it stands bound already where
 * the plan puts the pod, since no driver runs here that would make it there.
 */
function volumesOf(parts: StageParts): readonly (readonly [Resource<KubeObject>, KubeObject])[] {
  const { items, places } = parts;
  const zoneOf = new Map(
    places.flatMap((place) =>
      place.newcomers.map((pod) => [pod.uid, place.expected['topology.kubernetes.io/zone'] ?? '']),
    ),
  );
  const claims = new Map<string, string>();
  for (const item of items) {
    const zone = zoneOf.get(item.metadata.uid ?? '');
    if (item.kind !== 'Pod' || zone === undefined) continue;
    for (const name of claimNames(item as PodObject)) claims.set(name, zone);
  }
  const own = items.flatMap((item): readonly (readonly [Resource<KubeObject>, KubeObject])[] => {
    const zone = claims.get(item.metadata.name);
    if (item.kind !== 'PersistentVolumeClaim' || zone === undefined) return [];
    return boundVolume(item, zone);
  });
  const classes = items
    .filter((item) => item.kind === 'StorageClass')
    .map((item) => [storageClasses, bare(item)] as const);
  return [...classes, ...own];
}

function boundVolume(
  claim: KubeObject,
  zone: string,
): readonly (readonly [Resource<KubeObject>, KubeObject])[] {
  const { name, namespace = 'default' } = claim.metadata;
  const spec = (claim as { readonly spec?: object }).spec;
  const term = { key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] };
  const bound = {
    metadata: {
      name,
      namespace,
      annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
    },
    spec: { ...spec, volumeName: `pv-${name}` },
  };
  const volume = {
    metadata: { name: `pv-${name}` },
    spec: {
      capacity: { storage: '20Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'gp3',
      csi: { driver: 'ebs.csi.aws.com', volumeHandle: `vol-${name}` },
      claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [term] }] } },
    },
  };
  return [
    [volumeClaims, bound],
    [volumes, volume],
  ];
}

function bare(item: KubeObject): KubeObject {
  return { ...item, metadata: { name: item.metadata.name } };
}
