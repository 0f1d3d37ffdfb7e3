import { namespaces } from '../../api/kubernetes/core.ts';
import { serviceAccounts } from '../../api/kubernetes/workload.ts';
import { isKubeError } from '../../ports/kube.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Stage } from './stage.ts';

/** Gives every namespace its `default` service account, and gives it back when it is deleted. */
export function runServiceAccounts(stage: Stage): Promise<void> {
  const loop = stage.loop('serviceaccount', (name) => reconcile(stage, name));
  stage.informer(namespaces).onChange(({ object }) => loop.enqueue(object.metadata.name));
  stage.informer(serviceAccounts).onChange(({ type, object }) => {
    if (type === 'deleted') loop.enqueue(object.metadata.namespace ?? '');
  });
  return loop.done;
}

async function reconcile(stage: Stage, namespace: string): Promise<Requeue> {
  const space = stage.informer(namespaces).get(namespace);
  if (space === undefined || space.metadata.deletionTimestamp !== undefined) return onChange;
  const informer = stage.informer(serviceAccounts);
  if (informer.get(`${namespace}/default`) !== undefined) return onChange;
  try {
    const metadata = { name: 'default', namespace };
    informer.apply(await stage.ports.kube.create(serviceAccounts, { metadata }));
  } catch (error) {
    if (!isKubeError(error, 'already-exists')) throw error;
  }
  return onChange;
}
