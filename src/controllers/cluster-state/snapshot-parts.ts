import type { NamespaceObject } from '../../api/kubernetes/core.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import { isSameValue } from './same-value.ts';

/** The labels of the namespaces, by name. */
export function namespaceLabels(
  list: readonly NamespaceObject[],
): NonNullable<Snapshot['namespaces']> {
  return new Map(list.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
}

/** Whether the snapshot is made of these very parts. */
export function isSameParts(snapshot: Snapshot, parts: Omit<Snapshot, 'atMs'>): boolean {
  return (
    snapshot.nodes === parts.nodes &&
    snapshot.pools === parts.pools &&
    snapshot.daemons === parts.daemons &&
    snapshot.namespaces === parts.namespaces
  );
}

/** The earlier value where it says the same. */
export function keptValue<T>(before: T | undefined, now: T): T {
  return before !== undefined && isSameValue(before, now) ? before : now;
}
