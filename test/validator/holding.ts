import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Node } from '../../src/core/cluster/snapshot.ts';
import { portWantedTwice } from './pod-rules.ts';

/** What the pods ask of one resource together. */
export function sum(pods: readonly Pod[], resource: string): number {
  return pods.reduce((total, pod) => total + (pod.requests[resource] ?? 0), 0);
}

/** What newcomers ask for must fit beside the others; what they do not ask for is not their fault. */
export function overfull(
  newcomers: readonly Pod[],
  others: readonly Pod[],
  place: { readonly name: string; readonly allocatable: Readonly<Record<string, number>> },
): readonly string[] {
  const faults: string[] = [];
  const names = new Set(newcomers.flatMap((pod) => Object.keys(pod.requests)));
  for (const name of [...names].sort()) {
    const asked = sum(newcomers, name);
    if (asked > 0 && asked + sum(others, name) > (place.allocatable[name] ?? 0))
      faults.push(`${place.name} is over its ${name}`);
  }
  const before = portWantedTwice(others);
  const port = before === undefined ? portWantedTwice([...newcomers, ...others]) : undefined;
  if (port !== undefined) faults.push(`${place.name} has host port ${port} twice`);
  return faults;
}

/** A volume that two pods of the node use is attached once; who brings none may always come. */
export function overattached(newcomers: readonly Pod[], node: Node): readonly string[] {
  const attached = (pods: readonly Pod[], driver: string): ReadonlySet<string> =>
    new Set(pods.flatMap((pod) => pod.volumes?.attachments[driver] ?? []));
  return Object.entries(node.attachLimits ?? {})
    .filter(([driver, limit]) => {
      const all = attached([...newcomers, ...node.pods], driver).size;
      return all > limit && all > attached(node.pods, driver).size;
    })
    .map(([driver]) => `${node.name} attaches more volumes of ${driver} than it can`);
}
