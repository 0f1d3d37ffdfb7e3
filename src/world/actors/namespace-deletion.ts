import { events, type NamespaceObject, namespaces } from '../../api/kubernetes/core.ts';
import type { KubeObject, Resource } from '../../api/resource.ts';
import { isKubeError } from '../../ports/kube.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import { inParallel } from './in-parallel.ts';
import { builtInKinds, customKinds, definitions } from './served-kinds.ts';
import type { Stage } from './stage.ts';

const lookAgainMs = 500;

/** Empties namespaces that are being deleted, then lets them go. */
export function runNamespaceDeletion(stage: Stage): Promise<void> {
  const loop = stage.loop('namespace', (name) => reconcile(stage, name));
  stage.informer(definitions);
  stage.informer(namespaces).onChange(({ object }) => {
    if (object.metadata.deletionTimestamp !== undefined) loop.enqueue(object.metadata.name);
  });
  return loop.done;
}

async function reconcile(stage: Stage, name: string): Promise<Requeue> {
  const space = await stage.ports.kube.get(namespaces, { name });
  if (space === undefined || space.metadata.deletionTimestamp === undefined) return onChange;
  if (space.spec?.finalizers?.includes('kubernetes') !== true) return onChange;
  const kinds = [...builtInKinds, ...customKinds(stage), events].filter(
    (kind) => kind.isNamespaced,
  );
  let left = 0;
  for (const kind of kinds) left += await empty(stage, kind, name);
  // What was deleted just now may linger in its grace period or behind a finalizer.
  if (left > 0) return after(lookAgainMs);
  await letGo(stage, space);
  return onChange;
}

/** Asks for the deletion of everything of the kind and answers how much there was. */
async function empty(stage: Stage, kind: Resource, namespace: string): Promise<number> {
  const { kube } = stage.ports;
  let found: readonly KubeObject[];
  try {
    found = (await kube.list(kind, { namespace })).items;
  } catch (error) {
    // The definition of a custom kind may be on its way out together with the namespace.
    if (isKubeError(error, 'not-found')) return 0;
    throw error;
  }
  const present = found.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  await inParallel(present, 16, async ({ metadata }) => {
    await kube.delete(kind, { name: metadata.name, namespace }, { propagation: 'Background' });
  });
  return found.length;
}

async function letGo(stage: Stage, space: NamespaceObject): Promise<void> {
  const finalizers = (space.spec?.finalizers ?? []).filter((name) => name !== 'kubernetes');
  await stage.ports.kube.update(
    namespaces,
    { ...space, spec: { ...space.spec, finalizers } },
    'finalize',
  );
}
