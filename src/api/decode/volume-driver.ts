import type { StorageClassObject, VolumeObject } from '../kubernetes/volume.ts';

/** The drivers that took over from those once built into Kubernetes. */
const successors: Readonly<Record<string, string>> = {
  'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/azure-file': 'file.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/vsphere-volume': 'csi.vsphere.vmware.com',
  'kubernetes.io/portworx-volume': 'pxd.portworx.com',
};

/** Stands for volumes that someone else made by hand: nothing attaches them. */
const byHand = 'kubernetes.io/no-provisioner';

/** The CSI driver that will attach volumes of the class; undefined where none will. */
export function driverOfClass(storageClass: StorageClassObject | undefined): string | undefined {
  const provisioner = storageClass?.provisioner ?? '';
  if (provisioner === '' || provisioner === byHand) return undefined;
  return Object.hasOwn(successors, provisioner) ? successors[provisioner] : provisioner;
}

/** The CSI driver that attaches the volume, of its class where it does not say itself. */
export function driverOfVolume(
  volume: VolumeObject,
  lookups: { storageClass(name: string): StorageClassObject | undefined },
): string | undefined {
  const { csi, awsElasticBlockStore, local, hostPath, storageClassName = '' } = volume.spec ?? {};
  if (csi !== undefined) return csi.driver;
  if (awsElasticBlockStore !== undefined) return successors['kubernetes.io/aws-ebs'];
  if (local !== undefined || hostPath !== undefined || storageClassName === '') return undefined;
  return driverOfClass(lookups.storageClass(storageClassName));
}
