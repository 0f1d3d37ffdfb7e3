import type { KubeObject, OwnerReference, Resource } from '../../../api/resource.ts';

/** One object as ownership sees it. */
export interface Belonging {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/** Who owns whom, by uid, over all kinds together. */
export class OwnerGraph {
  readonly #objects = new Map<string, Belonging>();
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): Belonging | undefined {
    return this.#objects.get(uid);
  }

  /** The objects that name the uid among their owners, in the order in which they came. */
  dependentsOf(uid: string): readonly Belonging[] {
    const uids = [...(this.#dependents.get(uid) ?? [])];
    return uids.flatMap((dependent) => this.#objects.get(dependent) ?? []);
  }

  set(belonging: Belonging): void {
    const { uid } = belonging.object.metadata;
    if (uid === undefined) return;
    this.#unlink(uid);
    this.#objects.set(uid, belonging);
    for (const owner of ownersOf(belonging)) {
      const dependents = this.#dependents.get(owner.uid) ?? new Set();
      this.#dependents.set(owner.uid, dependents.add(uid));
    }
  }

  delete(uid: string): void {
    this.#unlink(uid);
    this.#objects.delete(uid);
  }

  #unlink(uid: string): void {
    const known = this.#objects.get(uid);
    if (known === undefined) return;
    for (const owner of ownersOf(known)) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}

export function ownersOf({ object }: Belonging): readonly OwnerReference[] {
  return object.metadata.ownerReferences ?? [];
}

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

export function isDeletingWith({ object }: Belonging, finalizer: string): boolean {
  const { deletionTimestamp, finalizers } = object.metadata;
  return deletionTimestamp !== undefined && finalizers?.includes(finalizer) === true;
}
