import type { KubeObject, Resource } from '../resource.ts';
import { resource } from './core.ts';

export interface VolumeClaimObject extends KubeObject {
  readonly spec?: { readonly volumeName?: string };
}

export const volumeClaims: Resource<VolumeClaimObject> = resource(
  '/v1/persistentvolumeclaims',
  'PersistentVolumeClaim',
  'namespaced',
);
export const volumes: Resource<KubeObject> = resource(
  '/v1/persistentvolumes',
  'PersistentVolume',
  'cluster',
);
