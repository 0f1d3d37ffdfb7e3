import { byName } from '../../core/text-order.ts';
import type { RegionFile } from './catalog-format.ts';
import type { InstanceTypeFacts } from './instance-type-facts.ts';

export interface Zone {
  readonly name: string;
  readonly id: string;
}

/** What one region offers. Prices are USD per hour for Linux; an unknown price is undefined. */
export interface RegionCatalog {
  readonly name: string;
  readonly zones: readonly Zone[];
  /** Types offered in at least one zone, by name. */
  readonly types: readonly InstanceTypeFacts[];
  has(type: string): boolean;
  isOffered(type: string, zone: string): boolean;
  onDemandUsdPerHour(type: string): number | undefined;
  /** Bare metal at dedicated tenancy; known apart from on-demand in us-east-1 alone. */
  dedicatedUsdPerHour(type: string): number | undefined;
  spotUsdPerHour(type: string, zone: string): number | undefined;
  /** 0 (taken back from under 5 % of owners a month) to 4 (over 20 %). */
  interruptionBand(type: string): number | undefined;
}

export function regionCatalog(
  file: RegionFile,
  rows: readonly InstanceTypeFacts[],
  dedicatedMetal: ReadonlyMap<string, number>,
): RegionCatalog {
  const zones = file.zones.map(([name, id]) => ({ name, id }));
  const zoneNumber = new Map(zones.map((zone, number) => [zone.name, number]));
  const place = new Map(file.type.map((row, index) => [rows[row]?.name ?? '', index]));
  const at = <T>(column: readonly (T | null)[], type: string): T | undefined =>
    column[place.get(type) ?? -1] ?? undefined;
  return {
    name: file.name,
    zones,
    types: file.type.flatMap((row) => rows[row] ?? []).toSorted(byName),
    has: (type) => place.has(type),
    isOffered: (type, zone) => {
      const number = zoneNumber.get(zone);
      return number !== undefined && (((at(file.zoneMask, type) ?? 0) >> number) & 1) === 1;
    },
    onDemandUsdPerHour: (type) => at(file.onDemand, type),
    dedicatedUsdPerHour: (type) =>
      (file.name === 'us-east-1' ? dedicatedMetal.get(type) : undefined) ?? at(file.onDemand, type),
    spotUsdPerHour: (type, zone) => at(file.spot[zoneNumber.get(zone) ?? -1] ?? [], type),
    interruptionBand: (type) => at(file.band, type),
  };
}
