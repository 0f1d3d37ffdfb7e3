import type { KubeObject, Resource } from '../resource.ts';
import { type NodeSelectorTerm, resource } from './core.ts';

/** The kinds that say where a pod's persistent volumes are and how many a node can attach. */

export interface VolumeClaimObject extends KubeObject {
  readonly spec?: {
    readonly volumeName?: string;
    readonly storageClassName?: string;
    readonly accessModes?: readonly string[];
  };
  readonly status?: { readonly phase?: 'Pending' | 'Bound' | 'Lost' };
}

export interface VolumeObject extends KubeObject {
  readonly spec?: {
    readonly storageClassName?: string;
    readonly csi?: { readonly driver: string; readonly volumeHandle?: string };
    readonly awsElasticBlockStore?: object;
    readonly local?: object;
    readonly hostPath?: object;
    readonly nodeAffinity?: {
      readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] };
    };
  };
}

export interface StorageClassObject extends KubeObject {
  readonly provisioner: string;
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly {
      readonly key: string;
      readonly values: readonly string[];
    }[];
  }[];
}

export interface CsiNodeObject extends KubeObject {
  readonly spec?: {
    readonly drivers?: readonly {
      readonly name: string;
      readonly allocatable?: { readonly count?: number };
    }[];
  };
}

export const volumeClaims: Resource<VolumeClaimObject> = resource(
  '/v1/persistentvolumeclaims',
  'PersistentVolumeClaim',
  'namespaced',
);
export const volumes: Resource<VolumeObject> = resource(
  '/v1/persistentvolumes',
  'PersistentVolume',
  'cluster',
);
export const storageClasses: Resource<StorageClassObject> = resource(
  'storage.k8s.io/v1/storageclasses',
  'StorageClass',
  'cluster',
);
export const csiNodes: Resource<CsiNodeObject> = resource(
  'storage.k8s.io/v1/csinodes',
  'CSINode',
  'cluster',
);
