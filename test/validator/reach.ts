import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Pool, Snapshot } from '../../src/core/cluster/snapshot.ts';
import { meetsOne } from './label-rules.ts';
import { type Launch, launchesOf } from './places.ts';
import { toleratesAll } from './pod-rules.ts';

/** The values of a label on nodes that the pools could launch for a pod, sorted. */
export type Reach = (pod: Pod, key: string) => readonly string[];

/** Asked once per kind of pod: a catalogue of a thousand types is long. */
export function reachOf(snapshot: Snapshot): Reach {
  const pools = snapshot.pools
    .filter((pool) => pool.notReady === undefined && pool.isStatic !== true)
    .map((pool) => ({ pool, launches: roomyLaunches(pool, snapshot.daemons) }));
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

/** A launch, and what its daemons leave to pods. */
interface Roomy extends Launch {
  readonly free: Readonly<Record<string, number>>;
}

/** Without launches that are too small for their daemons: nobody makes them. */
function roomyLaunches(pool: Pool, daemons: readonly Pod[]): readonly Roomy[] {
  const tolerating = daemons.filter((daemon) => toleratesAll(daemon, pool.taints));
  return pool.instanceTypes.flatMap((type) => {
    const { requirements } = pool;
    const launches = launchesOf({ pool, requirements, instanceTypes: [type] });
    const free = { ...type.allocatable };
    for (const { requests } of tolerating.filter((daemon) => mayRun(daemon, launches)))
      for (const [name, n] of Object.entries(requests)) free[name] = (free[name] ?? 0) - n;
    const isTooSmall = Object.values(free).some((n) => n < 0);
    return isTooSmall ? [] : launches.map((launch) => ({ ...launch, free }));
  });
}

/** Room is kept for a daemon on all launches of a type, if each of its rules is met by one of them. */
function mayRun({ nodeAlternatives }: Pod, launches: readonly Launch[]): boolean {
  return nodeAlternatives.some((wanted) =>
    [...wanted].every((rule) => launches.some(({ labels }) => meetsOne(labels, [new Map([rule])]))),
  );
}

function reachableIn(
  pod: Pod,
  { pool, launches, key }: { pool: Pool; launches: readonly Roomy[]; key: string },
): readonly string[] {
  const left = pool.labels[key] === undefined ? pool.requirements.get(key) : undefined;
  const valuesFor = ({ labels, type }: Launch): readonly (string | undefined)[] => {
    if (left === undefined || type.requirements.has(key)) return [labels[key]];
    // A pool that says no more than that there is a label names no domain.
    return left.kind === 'only' ? [...left.values] : [];
  };
  return launches
    .filter(({ free }) => Object.entries(pod.requests).every(([name, n]) => n <= (free[name] ?? 0)))
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
