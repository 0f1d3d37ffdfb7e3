import type { PodObject, VolumeAttachmentObject } from '../../api/kubernetes/core.ts';
import { volumeClaims } from '../../api/kubernetes/volume.ts';
import { conditionOf } from '../../api/resource.ts';
import { drainStep } from '../../core/disruption/drain.ts';
import { shortList } from '../../core/explain/words.ts';
import { after, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { patchClaimStatus } from '../writes.ts';
import type { LeavingNode } from './termination.ts';

/** Attachments end by themselves and tell us; this is only for a lost word. */
const lookAgainMs = 5_000;

/**
 * Waits for volumes to be detached, so that the next node can have them at once. Undefined when
 * none is left or the deadline has passed.
 */
export async function awaitVolumes(
  context: Context,
  leaving: LeavingNode,
): Promise<Requeue | undefined> {
  const { clock, events } = context.ports;
  const attached = await attachmentsToAwait(context, leaving);
  if (attached.length === 0) {
    await say(context, leaving, { status: 'True' });
    return undefined;
  }
  if (leaving.deadlineMs !== undefined && clock.nowMs() >= leaving.deadlineMs) {
    await say(context, leaving, { status: 'False', reason: 'TerminationGracePeriodElapsed' });
    return undefined;
  }
  await say(context, leaving, { status: 'Unknown', reason: 'AwaitingVolumeDetachment' });
  const names = shortList(
    attached.map((attachment) => attachment.metadata.name),
    5,
  );
  events.publish({
    about: leaving.node,
    type: 'Normal',
    reason: 'AwaitingVolumeDetachment',
    message: `Waiting for volumes to be detached: ${names}`,
  });
  return after(lookAgainMs);
}

async function say(
  context: Context,
  { claim }: LeavingNode,
  statement: { readonly status: 'True' | 'False' | 'Unknown'; readonly reason?: string },
): Promise<void> {
  const current =
    claim === undefined ? undefined : context.informers.nodeClaims.get(claim.metadata.name);
  if (current === undefined) return;
  if (conditionOf(current, 'VolumesDetached')?.status === statement.status) return;
  await patchClaimStatus(context, current, { set: [{ type: 'VolumesDetached', ...statement }] });
}

/** Those of volumes that no pod keeps in use which stays with the node to the end. */
async function attachmentsToAwait(
  context: Context,
  { node }: LeavingNode,
): Promise<readonly VolumeAttachmentObject[]> {
  const { informers } = context;
  const attached = informers.volumeAttachments
    .by('node', node.metadata.name)
    .filter(({ spec }) => spec.source?.persistentVolumeName !== undefined);
  if (attached.length === 0) return attached;
  const kept = await volumesOfStayingPods(context, node.metadata.name);
  return attached.filter(({ spec }) => !kept.has(spec.source?.persistentVolumeName ?? ''));
}

async function volumesOfStayingPods(
  { informers, cluster, ports }: Context,
  nodeName: string,
): Promise<ReadonlySet<string>> {
  const objects = informers.pods.by('node', nodeName);
  const nowMs = ports.clock.nowMs();
  const { waitFor } = drainStep({ pods: objects.map(cluster.podOf), nowMs });
  const leavingUids = new Set(waitFor.map((pod) => pod.uid));
  const staying = objects.filter((pod) => !leavingUids.has(pod.metadata.uid ?? ''));
  const names = new Set<string>();
  for (const { namespace, name } of staying.flatMap(volumeClaimsOf)) {
    const volumeName = (await ports.kube.get(volumeClaims, { namespace, name }))?.spec?.volumeName;
    if (volumeName !== undefined) names.add(volumeName);
  }
  return names;
}

function volumeClaimsOf(pod: PodObject): { readonly namespace: string; readonly name: string }[] {
  const { namespace = '', name: podName } = pod.metadata;
  return (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) {
      return [{ namespace, name: persistentVolumeClaim.claimName }];
    }
    return ephemeral === undefined ? [] : [{ namespace, name: `${podName}-${name}` }];
  });
}
