import { after, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';

const intervalMs = 30 * 60_000;
const instanceProfileAnnotation = 'karpenter.k8s.aws/instance-profile-name';

/** Deletes instance profiles of ours that neither a node class nor a machine uses any more. */
export async function collectInstanceProfiles({ ports, informers }: Context): Promise<Requeue> {
  const inUse = new Set([
    ...informers.nodeClasses.list().map(({ status }) => status?.instanceProfile ?? ''),
    ...informers.nodeClaims
      .list()
      .map(({ metadata }) => metadata.annotations?.[instanceProfileAnnotation] ?? ''),
  ]);
  const names = await ports.cloud.collectInstanceProfiles(inUse);
  for (const name of names) ports.log.info('deleted instance profile', { name });
  return after(intervalMs);
}
