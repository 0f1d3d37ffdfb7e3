import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import { annotations } from '../../../core/requirements/well-known.ts';
import type { AwsContext } from '../context.ts';
import { canonicalJson } from '../launch/content-hash.ts';
import { windowsBuild } from '../node-class/ami-family.ts';
import { amiFamilyOf } from '../node-class/image-alias.ts';
import type { PlacementGroup, PlacementGroups } from '../placement/placement-groups.ts';
import type { Reservations } from '../reservations/reservations.ts';
import { hasEnded, isExpiring } from '../reservations/resolved-reservation.ts';
import type { ZonalShifts } from '../zonal-shift/zonal-shifts.ts';
import { ClassMemory } from './class-memory.ts';
import { expectedRoom } from './expected-room.ts';
import type { LearnedMachines } from './learned-machines.ts';
import { createMachineDiscovery, type DiscoveredMachines } from './machine-discovery.ts';
import { type MarketView, offered } from './offerings.ts';
import { createPricing, type Prices } from './pricing.ts';
import { type ResolvedType, resolveTypes } from './resolved-type.ts';
import { SharedLabels, type SharedSets } from './shared-labels.ts';
import type { UnavailableOfferings } from './unavailable-offerings.ts';

export { imageFor } from './resolved-type.ts';

export interface InstanceTypes {
  /**
   * What the node class can launch, by name. While nothing changed (machines, prices,
   * availability, the class) the answer is the same object, so that callers can compile it once.
   */
  list(nodeClass: EC2NodeClass): Promise<readonly InstanceType[]>;
  /** What `list` last answered for each class that was asked about of late, by name of the class. */
  latest(): readonly (readonly InstanceType[])[];
}

interface TypeSources {
  readonly unavailable: UnavailableOfferings;
  readonly reservations: Reservations;
  readonly placementGroups: PlacementGroups;
  readonly shifts: ZonalShifts;
  readonly learned: LearnedMachines;
}

/** The types of one class, and what was on offer when it was last asked for. */
interface Entry {
  readonly machines: DiscoveredMachines;
  readonly resolved: readonly ResolvedType[];
  readonly placementGroup: PlacementGroup | undefined;
  /** What decides its labels beside the machines. */
  readonly site: string;
  readonly labels: SharedLabels;
  offered?: {
    readonly prices: Prices;
    readonly state: string;
    readonly types: readonly InstanceType[];
  };
}

export function createInstanceTypes(context: AwsContext, sources: TypeSources): InstanceTypes {
  const machinesNow = createMachineDiscovery(context);
  const pricesNow = createPricing(context);
  const entries = new ClassMemory<Entry>(context.clock);
  const keys = new WeakMap<EC2NodeClass, string>();
  const sets = new WeakMap<DiscoveredMachines, SharedSets>();

  function keyOf(nodeClass: EC2NodeClass, group: PlacementGroup | undefined): string {
    const known = keys.get(nodeClass) ?? contentKey(nodeClass);
    keys.set(nodeClass, known);
    return group === undefined ? known : known + canonicalJson(group);
  }

  function entryOf(
    nodeClass: EC2NodeClass,
    machines: DiscoveredMachines,
    placementGroup: PlacementGroup | undefined,
  ): Entry {
    const key = keyOf(nodeClass, placementGroup);
    const known = entries.recall(key);
    const entry =
      known?.machines === machines ? known : newEntry(nodeClass, machines, placementGroup);
    entries.keep(nodeClass.metadata.name, key, entry);
    return entry;
  }

  function newEntry(
    nodeClass: EC2NodeClass,
    machines: DiscoveredMachines,
    placementGroup: PlacementGroup | undefined,
  ): Entry {
    const site = siteOf(nodeClass, placementGroup);
    const labels = labelsOf(machines, site);
    const resolved = resolveTypes(context, nodeClass, { machines, placementGroup, labels });
    return { machines, placementGroup, site, labels, resolved };
  }

  /** Those of another class that has the same, if there is one. */
  function labelsOf(machines: DiscoveredMachines, site: string): SharedLabels {
    const alike = entries.latest().find((one) => one.machines === machines && one.site === site);
    const known = sets.get(machines) ?? new Map();
    sets.set(machines, known);
    return alike?.labels ?? new SharedLabels(known);
  }

  return {
    async list(nodeClass) {
      const [machines, prices, group] = await Promise.all([
        machinesNow(),
        pricesNow(),
        placementGroupOf(context, sources.placementGroups, nodeClass),
        countReservations(context, sources.reservations, nodeClass),
        sources.shifts.refresh(),
      ]);
      const entry = entryOf(nodeClass, machines, group);
      const nowMs = context.clock.nowMs();
      const state = stateOf(sources, nodeClass, nowMs);
      if (entry.offered?.prices !== prices || entry.offered.state !== state) {
        const market = marketView(sources, {
          ...{ prices, nowMs, placementGroup: group },
          amountsOf: expectedRoom(entry.resolved, sources.learned, hashOf(nodeClass)),
        });
        const types = entry.resolved.map((type) => offered(type, market));
        entry.offered = { prices, state, types };
      }
      return entry.offered.types;
    },
    latest: () => entries.latest().map(({ offered: now }) => now?.types ?? []),
  };
}

function marketView(
  { unavailable, reservations, shifts }: TypeSources,
  now: {
    readonly prices: Prices;
    readonly nowMs: number;
    readonly placementGroup: PlacementGroup | undefined;
    readonly amountsOf: MarketView['amountsOf'];
  },
): MarketView {
  const placementGroupId = now.placementGroup?.id;
  return {
    nowMs: now.nowMs,
    prices: now.prices,
    isUnavailable: (offering) => unavailable.has({ ...offering, placementGroupId }),
    left: (id) => reservations.left(id),
    isShifted: (zoneId) => zoneId !== undefined && shifts.isShifted(zoneId),
    amountsOf: now.amountsOf,
  };
}

/** A text that differs whenever something but the prices would change the offerings. */
function stateOf(sources: TypeSources, nodeClass: EC2NodeClass, nowMs: number): string {
  const reservations = (nodeClass.status?.capacityReservations ?? []).map((one) =>
    [
      one.id,
      sources.reservations.left(one.id),
      isExpiring(one, nowMs),
      hasEnded(one, nowMs),
    ].join(),
  );
  return [
    sources.unavailable.version(),
    sources.learned.versionFor(hashOf(nodeClass)),
    sources.shifts.version(),
    ...reservations,
  ].join('/');
}

/** What the class asks for, as its claims remember it. */
function hashOf({ metadata }: EC2NodeClass): string {
  return metadata.annotations?.[annotations.nodeClassHash] ?? '';
}

/** Everything of the class that decides what its machines look like. */
function contentKey({ spec, status }: EC2NodeClass): string {
  return canonicalJson([
    spec.kubelet,
    spec.blockDeviceMappings,
    spec.instanceStorePolicy,
    spec.networkInterfaces,
    spec.connectionTracking !== undefined,
    spec.cpuOptions,
    spec.placementGroupSelector,
    spec.amiFamily,
    spec.amiSelectorTerms.map((term) => term.alias),
    status?.amis,
    (status?.subnets ?? []).map((subnet) => `${subnet.zone}/${subnet.zoneID}`).sort(),
    status?.capacityReservations,
  ]);
}

/** What decides the labels of machines that no reservation is for. */
function siteOf(nodeClass: EC2NodeClass, group: PlacementGroup | undefined): string {
  const zones = (nodeClass.status?.subnets ?? []).map(({ zone, zoneID }) => `${zone}/${zoneID}`);
  const build = windowsBuild(amiFamilyOf(nodeClass)) ?? '';
  return canonicalJson([build, [...new Set(zones)].sort(), group]);
}

/** The class's group; the last one known while EC2 does not answer. */
async function placementGroupOf(
  context: AwsContext,
  groups: PlacementGroups,
  nodeClass: EC2NodeClass,
): Promise<PlacementGroup | undefined> {
  try {
    return await groups.find(nodeClass);
  } catch (error) {
    const known = groups.recall(nodeClass);
    if (known === undefined) throw error;
    context.log.info('using the placement group that was known before', { known, error });
    return known;
  }
}

/** Brings the counts of the class's reservations up to date; what was known before serves on. */
async function countReservations(
  context: AwsContext,
  reservations: Reservations,
  nodeClass: EC2NodeClass,
): Promise<void> {
  if ((nodeClass.status?.capacityReservations ?? []).length === 0) return;
  try {
    await reservations.find(nodeClass);
  } catch (error) {
    context.log.info('using the counts of capacity reservations that were known before', { error });
  }
}
