import { after, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';

const intervalMs = 10_000;

/** Deletes launch templates that no launch has used for a while. */
export async function collectLaunchTemplates({ ports }: Context): Promise<Requeue> {
  const names = await ports.cloud.collectLaunchTemplates();
  for (const name of names) ports.log.info('deleted launch template', { name });
  return after(intervalMs);
}
