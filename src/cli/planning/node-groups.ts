import type { Decision } from '../../core/explain/decision.ts';
import { compareText } from '../../core/text-order.ts';
import type { Observation } from '../../ports/observation.ts';

/** New nodes that are alike. */
export interface NodeGroup {
  readonly count: number;
  readonly nodePool: string;
  readonly instanceType: string;
  readonly zones: readonly string[];
  readonly capacityType: string;
  /** Of each. */
  readonly usdPerHour: number;
  readonly usdPerHourAtMost: number;
  /** How many the order allows EC2 to choose from. */
  readonly instanceTypes: number;
  /** On all of them together. */
  readonly pods: number;
}

/** What was bought, like by like. `places` has the claim of every pod that is on one. */
export function groupsOf(
  parts: { readonly decided: readonly Decision[]; readonly observation: Observation },
  places: readonly string[],
): readonly NodeGroup[] {
  const groups = new Map<string, NodeGroup>();
  const podsOn = countsOf(places);
  for (const order of purchases(parts)) {
    const one = nodeOf(order, podsOn.get(order.subject.name) ?? 0);
    const { zones, count: _count, pods: _pods, ...alike } = one;
    const key = JSON.stringify(alike);
    const group = groups.get(key) ?? { ...one, count: 0, zones: [], pods: 0 };
    groups.set(key, {
      ...group,
      count: group.count + 1,
      zones: [...new Set([...group.zones, ...zones])].sort(),
      pods: group.pods + one.pods,
    });
  }
  return [...groups.values()].sort(
    (a, b) =>
      compareText(a.nodePool, b.nodePool) ||
      b.usdPerHour - a.usdPerHour ||
      compareText(JSON.stringify(a), JSON.stringify(b)),
  );
}

/** Orders that led to a machine; one that the cloud refused was planned again. */
function purchases({ decided, observation }: Parameters<typeof groupsOf>[0]): readonly Decision[] {
  const launched = decided.filter(({ code }) => code === 'NodeLaunched');
  const there = observation.snapshot().nodes.map(({ claimName }) => claimName);
  const real = new Set([...launched.map(({ subject }) => subject.name), ...there]);
  return decided.filter(({ code, subject }) => code === 'NodeOrdered' && real.has(subject.name));
}

function nodeOf({ because }: Decision, pods: number): NodeGroup {
  const facts = new Map(because.map(({ name, value }) => [name, value]));
  const usdPerHour = Number(facts.get('priceUsdPerHour'));
  return {
    count: 1,
    nodePool: String(facts.get('pool')),
    instanceType: String(facts.get('instanceType')),
    zones: [String(facts.get('zone'))],
    capacityType: String(facts.get('capacityType')),
    usdPerHour,
    usdPerHourAtMost: Number(facts.get('dearestUsdPerHour') ?? usdPerHour),
    instanceTypes: Number(facts.get('instanceTypes')),
    pods,
  };
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
