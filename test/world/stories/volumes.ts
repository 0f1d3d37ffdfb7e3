import { type VolumeObject, volumeClaims, volumes } from '../../../src/api/kubernetes/volume.ts';
import type { NewObject } from '../../../src/api/resource.ts';
import type { TestWorld } from '../harness.ts';
import { zones } from './rules.ts';

const key = 'topology.kubernetes.io/zone';

/** Claims `data-a` and `data-b`, each bound to a volume in a zone of its own. */
export async function createVolumes({ kube }: TestWorld): Promise<void> {
  for (const [index, name] of ['a', 'b'].entries()) {
    const claim = { name: `data-${name}`, namespace: 'default' };
    await kube.create(volumes, volumeIn(zones[index] ?? '', name));
    await kube.create(volumeClaims, {
      metadata: claim,
      spec: { volumeName: name, accessModes: ['ReadWriteOnce'] },
    });
    const body = { status: { phase: 'Bound' } };
    await kube.patch(volumeClaims, claim, { type: 'merge', subresource: 'status', body });
  }
}

function volumeIn(zone: string, name: string): NewObject<VolumeObject> {
  const matchExpressions = [{ key, operator: 'In' as const, values: [zone] }];
  const spec = {
    csi: { driver: 'ebs.csi.aws.com', volumeHandle: name },
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
  };
  return { metadata: { name, labels: { [key]: zone } }, spec };
}
