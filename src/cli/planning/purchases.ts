import type { Decision } from '../../core/explain/decision.ts';
import { grouped, type NodeGroup } from '../../core/explain/node-groups.ts';
import type { Observation } from '../../ports/observation.ts';

/** What was bought, like by like. `places` has the claim of every pod that is on one. */
export function groupsOf(
  parts: { readonly decided: readonly Decision[]; readonly observation: Observation },
  places: readonly string[],
): readonly NodeGroup[] {
  const podsOn = countsOf(places);
  return grouped(
    purchases(parts).map((order) => nodeOf(order, podsOn.get(order.subject.name) ?? 0)),
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
