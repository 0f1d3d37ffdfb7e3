import type { NodeSelectorTerm } from '../../src/api/kubernetes/core.ts';
import type {
  CsiNodeObject,
  VolumeClaimObject,
  VolumeObject,
} from '../../src/api/kubernetes/volume.ts';
import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Node } from '../../src/core/cluster/snapshot.ts';
import { writtenTerms } from './pod-manifest.ts';

/** A claim that is bound, and the volume behind it, of one name. */
export interface VolumeManifests {
  readonly claim: VolumeClaimObject;
  readonly volume: VolumeObject;
}

/** A volume of nobody's driver, for pods whose volumes are attached by none. */
const unattached = 'shared';

/** Claims and volumes that hold the pod where its volumes do, each bound to the other. */
export function volumesOf({ volumes, namespace }: Pod, prefix: string): readonly VolumeManifests[] {
  if (volumes === undefined) return [];
  const attached = Object.entries(volumes.attachments).flatMap(([driver, names]) =>
    names.map((name) => ({ name, driver })),
  );
  const all = attached.length === 0 ? [{ name: unattached, driver: undefined }] : attached;
  const isFree = volumes.alternatives.some((wanted) => wanted.size === 0);
  const nodeSelectorTerms: readonly NodeSelectorTerm[] = volumes.alternatives.map((wanted) => ({
    matchExpressions: writtenTerms(wanted),
  }));
  return all.map(({ name, driver }) => {
    const own = `${prefix}-${name}`;
    const source =
      driver === undefined
        ? { nfs: { server: 'nowhere', path: '/' } }
        : { csi: { driver, volumeHandle: own } };
    const spec = {
      accessModes: ['ReadWriteMany'],
      capacity: { storage: '1Gi' },
      storageClassName: '',
      ...source,
      ...(isFree ? {} : { nodeAffinity: { required: { nodeSelectorTerms } } }),
    };
    return { claim: claimOf(own, namespace), volume: { metadata: { name: own }, spec } };
  });
}

function claimOf(name: string, namespace: string): VolumeClaimObject {
  const spec = {
    volumeName: name,
    accessModes: ['ReadWriteMany'],
    storageClassName: '',
    resources: { requests: { storage: '1Gi' } },
  };
  const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
  return { metadata: { name, namespace, annotations }, spec };
}

/** What the storage drivers of the node would say; undefined where they say nothing. */
export function csiNodeOf({ name, attachLimits }: Node): CsiNodeObject | undefined {
  if (attachLimits === undefined) return undefined;
  const drivers = Object.entries(attachLimits).map(([driver, count]) => ({
    name: driver,
    nodeID: name,
    topologyKeys: [],
    allocatable: { count },
  }));
  return { metadata: { name }, spec: { drivers } };
}
