import { noResources, type Resources } from '../quantity/resources.ts';
import {
  combine,
  firstUnmet,
  labelsAsRequirements,
  type Requirements,
} from '../requirements/requirements.ts';
import { has } from '../requirements/value-set.ts';
import { labels } from '../requirements/well-known.ts';
import { compareText } from '../text-order.ts';
import { besideHugePages } from './huge-pages.ts';
import type { InstanceType, Offering } from './instance-type.ts';
import { OverlayChanges, type OverlayTarget, type TypeChange } from './overlay-changes.ts';

/** What to believe of some instance types instead of what the cloud tells. */
export interface Overlay {
  readonly name: string;
  readonly weight: number;
  /** Which instance types, and which of their offerings, in which pools. */
  readonly requirements: Requirements;
  readonly price?: PriceChange | undefined;
  /** Resources that the machines have besides those that the cloud tells. */
  readonly capacity: Resources;
}

/** A price in dollars per hour, dollars added to it, or a share of it added in percent. */
export type PriceChange =
  | { readonly kind: 'set'; readonly usdPerHour: number }
  | { readonly kind: 'add'; readonly usdPerHour: number }
  | { readonly kind: 'scale'; readonly percent: number };

export interface OverlaidPool {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly instanceTypes: readonly InstanceType[];
}

/** An instance type that overlays have changed. */
interface OverlaidType extends InstanceType {
  readonly overlaid: { readonly hasPrice: boolean; readonly capacity: Resources };
}

export interface OverlayResult {
  /** The types of every pool, by its name; the very same where no overlay concerns them. */
  readonly types: ReadonlyMap<string, readonly InstanceType[]>;
  /** Overlays that say something else than another of the same weight, and which that is. */
  readonly conflicts: ReadonlyMap<string, string>;
}

/** What overlays have made of the type: whether of its price, and which resources they added. */
export function overlaidParts(type: InstanceType): OverlaidType['overlaid'] {
  return 'overlaid' in type ? (type as OverlaidType).overlaid : untouched;
}

const untouched: OverlaidType['overlaid'] = { hasPrice: false, capacity: noResources };

/**
 * The types of the pools under the overlays. Of several that set the price of one offering, or
 * one resource of a type, the heaviest counts. Where two of one weight do, the one whose name
 * comes first in the alphabet is left out as a whole, as the original does.
 */
export function applyOverlays(
  pools: readonly OverlaidPool[],
  overlays: readonly Overlay[],
): OverlayResult {
  const changes = new OverlayChanges();
  const conflicts = new Map<string, string>();
  for (const overlay of [...overlays].sort(heaviestFirst)) {
    const targets = pools.flatMap((pool) => targetsOf(pool, overlay));
    const rival = changes.rivalOf(overlay, targets);
    if (rival === undefined) changes.enter(overlay, targets);
    else conflicts.set(overlay.name, rival);
  }
  return {
    types: new Map(pools.map((pool) => [pool.name, changedTypes(pool, changes)])),
    conflicts,
  };
}

function changedTypes(pool: OverlaidPool, changes: OverlayChanges): readonly InstanceType[] {
  const types = pool.instanceTypes.map((type) => changedType(type, changes.of(pool.name, type)));
  const isSame = types.every((type, index) => type === pool.instanceTypes[index]);
  return isSame ? pool.instanceTypes : types;
}

function changedType(type: InstanceType, change: TypeChange | undefined): InstanceType {
  if (change === undefined) return type;
  const capacity = Object.fromEntries(
    [...change.capacity].map(([name, overlay]) => [name, overlay.capacity[name] ?? 0]),
  );
  const overlaid: OverlaidType = {
    ...type,
    offerings: type.offerings.map((offering) => {
      const price = change.prices.get(offering)?.price;
      if (price === undefined && change.capacity.size === 0) return offering;
      const priceUsdPerHour = changedPrice(offering.priceUsdPerHour, price);
      return { ...offering, priceUsdPerHour, isOverlaid: true };
    }),
    capacity: { ...type.capacity, ...capacity },
    allocatable: { ...besideHugePages(type.allocatable, capacity), ...capacity },
    overlaid: { hasPrice: change.prices.size > 0, capacity },
  };
  return overlaid;
}

/** The price after the change, never below nothing. */
function changedPrice(usdPerHour: number, change: PriceChange | undefined): number {
  switch (change?.kind) {
    case undefined:
      return usdPerHour;
    case 'set':
      return change.usdPerHour;
    case 'add':
      return Math.max(0, usdPerHour + change.usdPerHour);
    case 'scale':
      return Math.max(0, usdPerHour * (1 + change.percent / 100));
  }
}

function heaviestFirst(a: Overlay, b: Overlay): number {
  return b.weight - a.weight || compareText(b.name, a.name);
}

/** The types of the pool that the overlay means, each with the offerings that it means. */
function targetsOf(pool: OverlaidPool, overlay: Overlay): readonly OverlayTarget[] {
  const ofPool = labelsAsRequirements({ ...pool.labels, [labels.nodePool]: pool.name });
  return pool.instanceTypes.flatMap((type) => {
    const offered = combine(ofPool, type.requirements);
    if (firstUnmet(offered, overlay.requirements, () => false) !== undefined) return [];
    const offerings = type.offerings.filter((offering) => isMeant(offering, overlay));
    return offerings.length === 0 ? [] : [{ poolName: pool.name, type, offerings }];
  });
}

function isMeant(offering: Offering, { requirements }: Overlay): boolean {
  const own = [
    [labels.zone, offering.zone],
    [labels.capacityType, offering.capacityType],
    [labels.zoneId, offering.zoneId],
  ] as const;
  return own.every(([key, value]) => {
    const wanted = requirements.get(key);
    return wanted === undefined || value === undefined || has(wanted, value);
  });
}
