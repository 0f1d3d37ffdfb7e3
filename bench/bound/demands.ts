import { selects } from '../../src/core/cluster/label-selector.ts';
import type { Pod, PodTerm, SpreadConstraint } from '../../src/core/cluster/pod.ts';
import { labels } from '../../src/core/requirements/well-known.ts';

/** Pods that are equal in size, in where they may go, and in the rules that the bound knows. */
export interface Demand {
  readonly sample: Pod;
  readonly amount: number;
  /** Index into `Demands.spreads`: pods that must be even over zones together. */
  readonly spread: number | undefined;
  /** Index into `Demands.solitary`: pods of which no two may share a node. */
  readonly solitary: number | undefined;
}

export interface Demands {
  readonly demands: readonly Demand[];
  /** The largest skew of each group. */
  readonly spreads: readonly number[];
  readonly solitary: readonly string[];
}

export function demandsOf(pods: readonly Pod[]): Demands {
  const spreads = new Map<string, { readonly index: number; readonly maxSkew: number }>();
  const solitary = new Map<string, number>();
  const demands = new Map<string, Demand>();
  for (const pod of pods) {
    const spreadKey = evenOverZones(pod, pods);
    if (spreadKey !== undefined && !spreads.has(spreadKey.text))
      spreads.set(spreadKey.text, { index: spreads.size, maxSkew: spreadKey.maxSkew });
    const aloneKey = aloneOnHosts(pod);
    if (aloneKey !== undefined && !solitary.has(aloneKey)) solitary.set(aloneKey, solitary.size);
    const key = textOf([
      pod.requests,
      pod.nodeAlternatives,
      pod.tolerations,
      pod.volumes?.alternatives,
      spreadKey?.text,
      aloneKey,
    ]);
    const known = demands.get(key);
    demands.set(key, {
      sample: pod,
      spread: spreadKey === undefined ? undefined : spreads.get(spreadKey.text)?.index,
      solitary: aloneKey === undefined ? undefined : solitary.get(aloneKey),
      ...known,
      amount: (known?.amount ?? 0) + 1,
    });
  }
  return {
    demands: [...demands.values()],
    spreads: [...spreads.values()].map(({ maxSkew }) => maxSkew),
    solitary: [...solitary.keys()],
  };
}

/**
 * A hard zone spread that binds for certain: every pod that it counts carries it too. Where
 * others are counted that may go anywhere, the order of events decides, and nothing is promised.
 */
function evenOverZones(
  pod: Pod,
  pods: readonly Pod[],
): { readonly text: string; readonly maxSkew: number } | undefined {
  const constraint = pod.spread?.find((one) => one.isHard && one.topologyKey === labels.zone);
  if (constraint === undefined) return undefined;
  const text = ruleText(pod, constraint);
  const known = judged.get(pods)?.get(text);
  if (known !== undefined) return known ? { text, maxSkew: constraint.maxSkew } : undefined;
  const counted = pods.filter(
    (other) => other.namespace === pod.namespace && selects(constraint.selector, other.labels),
  );
  const binds =
    counted.includes(pod) &&
    counted.every((other) => (other.spread ?? []).some((one) => ruleText(other, one) === text));
  const own = judged.get(pods) ?? new Map<string, boolean>();
  judged.set(pods, own.set(text, binds));
  return binds ? { text, maxSkew: constraint.maxSkew } : undefined;
}

const judged = new WeakMap<readonly Pod[], Map<string, boolean>>();

function ruleText(pod: Pod, constraint: SpreadConstraint): string {
  return textOf([pod.namespace, constraint, pod.nodeAlternatives, pod.volumes?.alternatives]);
}

/** A pod that keeps its own kind off its host; pods with the same rule are one kind. */
function aloneOnHosts(pod: Pod): string | undefined {
  const term = (pod.antiAffinity ?? []).find(
    (one) => one.topologyKey === labels.hostname && isAboutItself(one, pod),
  );
  return term === undefined ? undefined : textOf([pod.namespace, term, pod.labels]);
}

function isAboutItself(term: PodTerm, pod: Pod): boolean {
  return term.namespaces.includes(pod.namespace) && selects(term.selector, pod.labels);
}

/** Text that is equal for equal values; maps and sets have none of their own. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part instanceof Map || part instanceof Set ? [...part] : part,
  );
}
