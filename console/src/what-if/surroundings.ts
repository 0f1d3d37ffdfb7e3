import { decodeDaemon } from '../../../src/api/decode/pod.ts';
import type { DaemonSetObject } from '../../../src/api/kubernetes/core.ts';
import { mapAt, type ValueMap } from '../../../src/api/value.ts';
import type { Pod } from '../../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../../src/core/cluster/snapshot.ts';
import { titleOf, type Written } from './read-object.ts';

/** What comes beside pods that wait: daemons on every node, and namespaces. */
export function withSurroundings(snapshot: Snapshot, written: readonly Written[]): Snapshot {
  const daemons = written.filter(({ kind }) => kind === 'DaemonSet');
  const spaces = written.filter(({ kind }) => kind === 'Namespace');
  if (daemons.length + spaces.length === 0) return snapshot;
  const isReplaced = (daemon: Pod): boolean =>
    daemons.some(
      ({ namespace, name }) =>
        daemon.isDaemon && namespace === daemon.namespace && name === daemon.owner?.name,
    );
  return {
    ...snapshot,
    // Its pods of old make room for those that come, which the engine expects on each node.
    nodes: snapshot.nodes.map((node) =>
      node.pods.some(isReplaced)
        ? { ...node, pods: node.pods.filter((pod) => !isReplaced(pod)) }
        : node,
    ),
    daemons: [
      ...snapshot.daemons.filter((daemon) => !isReplaced(daemon)),
      ...daemons.map(({ object, namespace }) =>
        decodeDaemon(inNamespace(object as unknown as DaemonSetObject, namespace)),
      ),
    ],
    namespaces: new Map([
      ...(snapshot.namespaces ?? []),
      ...spaces.map(({ name, object }) => [name, labelsOf(object)] as const),
    ]),
  };
}

function inNamespace(object: DaemonSetObject, namespace: string): DaemonSetObject {
  return { ...object, metadata: { ...object.metadata, namespace } };
}

function labelsOf(object: ValueMap): Readonly<Record<string, string>> {
  return mapAt(object, ['metadata', 'labels']) as Readonly<Record<string, string>>;
}

export function daemonNotes(written: readonly Written[]): readonly string[] {
  return written
    .filter(({ kind }) => kind === 'DaemonSet')
    .map(
      (daemon) =>
        `${titleOf(daemon)}: new nodes have room for it; on nodes that are there it runs where there is room, and nothing is bought for it.`,
    );
}

export function missingNamespaces(
  { namespaces }: Snapshot,
  comers: readonly Pod[],
): readonly string[] {
  const used = [...new Set(comers.map(({ namespace }) => namespace))].sort();
  return used
    .filter((name) => namespaces !== undefined && !namespaces.has(name))
    .map(
      (name) => `There is no namespace ${name}; until it is made, nothing can be applied in it.`,
    );
}
