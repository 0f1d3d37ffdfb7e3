import type { InstanceType } from '../../src/core/catalog/instance-type.ts';
import type { Pod, PodTerm, SpreadConstraint } from '../../src/core/cluster/pod.ts';
import type { Pool, Snapshot } from '../../src/core/cluster/snapshot.ts';
import { combine, requirementsOf } from '../../src/core/requirements/requirements.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import type { NewNode, Plan } from '../../src/core/scheduling/plan.ts';
import { aPod, aPool, aSnapshot, aType, type PodWish } from './builders.ts';
import { validatePlan } from './validate-plan.ts';

/** What the validator's own tests judge: two types, orders of them, and the faults of a plan. */

export const small = aType({
  name: 'm.small',
  cpu: 2,
  memoryGi: 8,
  pods: 4,
  onDemandUsd: 1,
  spotUsd: 0.4,
});
export const large = aType({ name: 'm.large', cpu: 4, memoryGi: 16, onDemandUsd: 2 });
export const pool = aPool({ instanceTypes: [small, large] });

interface OrderWish {
  readonly zone?: string;
  readonly types?: readonly InstanceType[];
  readonly pool?: Pool;
  readonly capacityType?: 'on-demand' | 'spot';
}

/** An order for the pods as on-demand in one zone, unless the wish says otherwise. */
export function anOrder(pods: readonly Pod[], wish: OrderWish = {}): NewNode {
  const { zone = 'a', types = [small], capacityType = 'on-demand' } = wish;
  const own = wish.pool ?? pool;
  const [first = small] = types;
  const settled = requirementsOf([
    { key: labels.zone, operator: 'In', values: [zone] },
    { key: labels.capacityType, operator: 'In', values: [capacityType] },
  ]);
  const price = first.offerings.find(
    (one) => one.zone === zone && one.capacityType === capacityType,
  );
  return {
    pool: own,
    pods,
    requirements: combine(own.requirements, settled),
    instanceTypes: types,
    requests: {},
    cheapest: {
      instanceType: first.name,
      zone,
      capacityType,
      priceUsdPerHour: price?.priceUsdPerHour ?? 0,
    },
  };
}

export function faults(plan: Partial<Plan>, wish: Partial<Snapshot> = {}): readonly string[] {
  const whole: Plan = { placements: [], newNodes: [], unplaced: [], ...plan };
  const pods = [
    ...whole.placements.map(({ pod }) => pod),
    ...whole.newNodes.flatMap((node) => node.pods),
    ...whole.unplaced.map(({ pod }) => pod),
  ];
  return validatePlan(aSnapshot({ pools: [pool], ...wish }), pods, whole);
}

export const web = (name: string, wish: PodWish = {}): Pod =>
  aPod({ name, labels: { app: 'web' }, cpuMillis: 100, ...wish });

export const app = (value: string): { matchLabels: Record<string, string> } => ({
  matchLabels: { app: value },
});
export const zoneTerm: PodTerm = {
  topologyKey: labels.zone,
  selector: app('web'),
  namespaces: ['default'],
};
export const hostTerm: PodTerm = { ...zoneTerm, topologyKey: labels.hostname };
export const overZones: SpreadConstraint = {
  topologyKey: labels.zone,
  maxSkew: 1,
  isHard: true,
  selector: app('web'),
  honorsNodeAffinity: true,
  honorsTaints: false,
};
export const overHosts: SpreadConstraint = { ...overZones, topologyKey: labels.hostname };
