import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Pool, Snapshot } from '../../src/core/cluster/snapshot.ts';
import { meetsOne } from './label-rules.ts';
import { type Launch, launchesOfPool } from './places.ts';
import { toleratesAll } from './pod-rules.ts';

/** The values of a label on nodes that the pools could launch for a pod, sorted. */
export type Reach = (pod: Pod, key: string) => readonly string[];

/** Asked once per kind of pod: a catalogue of a thousand types is long. */
export function reachOf(snapshot: Snapshot): Reach {
  const pools = snapshot.pools
    .filter((pool) => pool.notReady === undefined && pool.isStatic !== true)
    .map((pool) => ({ pool, launches: launchesOfPool(pool) }));
  const known = new Map<string, readonly string[]>();
  return (pod, key) => {
    if (key === 'kubernetes.io/hostname') return [];
    const { requests, nodeAlternatives, tolerations, volumes } = pod;
    const text = textOf([key, requests, nodeAlternatives, tolerations, volumes?.alternatives]);
    const values =
      known.get(text) ??
      pools
        .filter(({ pool }) => toleratesAll(pod, pool.taints))
        .flatMap(({ pool, launches }) => reachableIn(pod, { pool, launches, key }));
    const sorted = [...new Set(values)].sort();
    known.set(text, sorted);
    return sorted;
  };
}

function reachableIn(
  pod: Pod,
  { pool, launches, key }: { pool: Pool; launches: readonly Launch[]; key: string },
): readonly string[] {
  const left = pool.labels[key] === undefined ? pool.requirements.get(key) : undefined;
  const valuesFor = ({ labels, type }: Launch): readonly (string | undefined)[] => {
    if (left === undefined || type.requirements.has(key)) return [labels[key]];
    // A pool that says no more than that there is a label names no domain.
    return left.kind === 'only' ? [...left.values] : [];
  };
  return launches
    .filter(({ type }) =>
      Object.entries(pod.requests).every(([name, n]) => n <= (type.allocatable[name] ?? 0)),
    )
    .flatMap((launch) =>
      valuesFor(launch)
        .filter((value) => value !== undefined)
        .filter((value) => isWanted({ ...launch.labels, [key]: value }, pod)),
    );
}

function isWanted(labels: Readonly<Record<string, string>>, pod: Pod): boolean {
  const volumes = pod.volumes?.alternatives ?? [];
  return (
    meetsOne(labels, pod.nodeAlternatives) && (volumes.length === 0 || meetsOne(labels, volumes))
  );
}

/** Text that is equal for equal values; maps and sets have none of their own. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part instanceof Map || part instanceof Set ? [...part] : part,
  );
}
