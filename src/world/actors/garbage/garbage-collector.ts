import { keyOf, type OwnerReference, type Resource } from '../../../api/resource.ts';
import { type DeleteOptions, isKubeError, type ObjectKey } from '../../../ports/kube.ts';
import { onChange, type Requeue } from '../../../runtime/reconcile.ts';
import { inParallel } from '../in-parallel.ts';
import { builtInKinds, customKind, definitions } from '../served-kinds.ts';
import type { Stage } from '../stage.ts';
import {
  type Belonging,
  foregroundFinalizer,
  isDeletingWith,
  OwnerGraph,
  orphanFinalizer,
  ownersOf,
} from './owner-graph.ts';

/**
 * Deletes what has lost all its owners, and carries out foreground and orphaning deletions. Keys
 * are uids. Custom kinds join as their definitions are established.
 */
export function runGarbageCollector(stage: Stage): Promise<void> {
  const graph = new OwnerGraph();
  const kinds = new Map<string, Resource>();
  const loop = stage.loop('garbage-collector', (uid) => reconcile(stage, { graph, kinds }, uid));

  const follow = (kind: Resource): void => {
    const id = `${kind.group}/${kind.kind}`;
    if (kinds.has(id)) return;
    kinds.set(id, kind);
    const informer = stage.informer(kind);
    informer.onChange(({ type, object }) => {
      const { uid } = object.metadata;
      if (uid === undefined) return;
      const belonging = { resource: kind, object };
      if (type === 'deleted') graph.delete(uid);
      else graph.set(belonging);
      if (type === 'deleted' || object.metadata.deletionTimestamp !== undefined) {
        for (const dependent of graph.dependentsOf(uid)) loop.enqueue(uidOf(dependent));
        for (const owner of ownersOf(belonging)) loop.enqueue(owner.uid);
      }
      if (type !== 'deleted') loop.enqueue(uid);
    });
  };
  for (const kind of builtInKinds) follow(kind);
  stage.informer(definitions).onChange(({ type, object }) => {
    const kind = type === 'deleted' ? undefined : customKind(object);
    if (kind !== undefined) follow(kind);
  });
  return loop.done;
}

interface Ownership {
  readonly graph: OwnerGraph;
  /** Kinds that are followed, by `group/Kind`. */
  readonly kinds: ReadonlyMap<string, Resource>;
}

async function reconcile(stage: Stage, ownership: Ownership, uid: string): Promise<Requeue> {
  const belonging = ownership.graph.get(uid);
  if (belonging === undefined) return onChange;
  if (isDeletingWith(belonging, orphanFinalizer)) await orphan(stage, ownership.graph, belonging);
  else if (isDeletingWith(belonging, foregroundFinalizer))
    await finishForeground(stage, ownership.graph, belonging);
  else if (belonging.object.metadata.deletionTimestamp === undefined)
    await judge(stage, ownership, belonging);
  return onChange;
}

/** Cuts the dependents loose, then lets the owner go. */
async function orphan(stage: Stage, graph: OwnerGraph, owner: Belonging): Promise<void> {
  const uid = uidOf(owner);
  await inParallel(graph.dependentsOf(uid), 16, (dependent) =>
    cutLoose(stage, dependent, new Set([uid])),
  );
  await removeFinalizer(stage, owner, orphanFinalizer);
}

/** Lets the owner go once no dependent that blocks it is left. */
async function finishForeground(stage: Stage, graph: OwnerGraph, owner: Belonging): Promise<void> {
  const uid = uidOf(owner);
  const isBlocking = (dependent: Belonging): boolean =>
    ownersOf(dependent).some((ref) => ref.uid === uid && ref.blockOwnerDeletion === true);
  if (!graph.dependentsOf(uid).some(isBlocking))
    await removeFinalizer(stage, owner, foregroundFinalizer);
}

/** Deletes the object if no owner keeps it; drops the references to owners that are gone. */
async function judge(stage: Stage, ownership: Ownership, dependent: Belonging): Promise<void> {
  const owners = ownersOf(dependent);
  if (owners.length === 0) return;
  const gone = new Set<string>();
  let isAwaited = false;
  for (const owner of owners) {
    const fate = await fateOf(stage, ownership, { dependent, owner });
    if (fate !== 'stays') gone.add(owner.uid);
    if (fate === 'waits') isAwaited = true;
  }
  if (gone.size === 0) return;
  if (gone.size < owners.length) {
    await cutLoose(stage, dependent, gone);
    return;
  }
  const hasDependents = ownership.graph.dependentsOf(uidOf(dependent)).length > 0;
  await remove(stage, dependent, isAwaited && hasDependents ? 'Foreground' : 'Background');
}

type Fate = 'stays' | 'gone' | 'waits';

async function fateOf(
  stage: Stage,
  { graph, kinds }: Ownership,
  link: { readonly dependent: Belonging; readonly owner: OwnerReference },
): Promise<Fate> {
  const { dependent, owner } = link;
  const known = graph.get(owner.uid);
  if (known !== undefined) return isDeletingWith(known, foregroundFinalizer) ? 'waits' : 'stays';
  const group = owner.apiVersion.includes('/') ? owner.apiVersion.split('/')[0] : '';
  const kind = kinds.get(`${group}/${owner.kind}`);
  // What we cannot look up we must not judge.
  if (kind === undefined) return 'stays';
  const { namespace } = dependent.object.metadata;
  const key: ObjectKey = { name: owner.name, ...(kind.isNamespaced && { namespace }) };
  // The dependent may have been seen before its owner, so ask before believing that it is absent.
  const live = await stage.ports.kube.get(kind, key);
  return live?.metadata.uid === owner.uid ? 'stays' : 'gone';
}

async function cutLoose(
  stage: Stage,
  dependent: Belonging,
  uids: ReadonlySet<string>,
): Promise<void> {
  const ownerReferences = ownersOf(dependent).filter((owner) => !uids.has(owner.uid));
  const { uid, resourceVersion } = dependent.object.metadata;
  await patchMetadata(stage, dependent, { uid, resourceVersion, ownerReferences });
}

async function removeFinalizer(stage: Stage, owner: Belonging, finalizer: string): Promise<void> {
  const { uid, resourceVersion, finalizers = [] } = owner.object.metadata;
  const rest = finalizers.filter((name) => name !== finalizer);
  await patchMetadata(stage, owner, { uid, resourceVersion, finalizers: rest });
}

async function patchMetadata(stage: Stage, target: Belonging, metadata: object): Promise<void> {
  try {
    const patch = { type: 'merge', body: { metadata } } as const;
    const changed = await stage.ports.kube.patch(target.resource, addressOf(target), patch);
    stage.informer(target.resource).apply(changed);
  } catch (error) {
    if (!isKubeError(error, 'not-found')) throw error;
  }
}

async function remove(
  stage: Stage,
  doomed: Belonging,
  propagation: 'Foreground' | 'Background',
): Promise<void> {
  const { uid, resourceVersion } = doomed.object.metadata;
  const options: DeleteOptions = { uid, resourceVersion, propagation };
  const answer = await stage.ports.kube.delete(doomed.resource, addressOf(doomed), options);
  if (answer !== undefined) stage.informer(doomed.resource).apply(answer);
  stage.ports.log.debug('collected', { kind: doomed.resource.kind, key: keyOf(doomed.object) });
}

function addressOf({ object }: Belonging): ObjectKey {
  const { name, namespace } = object.metadata;
  return { name, namespace };
}

function uidOf({ object }: Belonging): string {
  return object.metadata.uid ?? '';
}
