import type { Cell } from '../cells.ts';
import type { Demand, Demands } from '../demands.ts';

/** Demands that must be even over zones together. */
export interface Spread {
  readonly members: readonly number[];
  readonly maxSkew: number;
  /** Only zones that all members can use count as empty. */
  readonly zones: readonly { readonly zone: string; readonly isShared: boolean }[];
  /** How many pods the emptiest shared zone holds, at least and at most. */
  readonly least: number;
  readonly most: number;
}

/** Pods by the group in which they are spread, and the skews of the groups. */
interface Groups {
  readonly demands: readonly Pick<Demand, 'spread' | 'amount'>[];
  readonly spreads: Demands['spreads'];
}

/** A cell, and which demands it takes. */
interface Taker {
  readonly cell: { readonly offering: Pick<Cell['offering'], 'zone'> };
  readonly takes: readonly boolean[];
}

/** The spreads that say anything: without a shared zone there is no emptiest one. */
export function spreadsOf(demands: Groups, takers: readonly Taker[]): readonly Spread[] {
  const zonesOf = demands.demands.map((_, d) => zonesTaking(takers, d));
  return demands.spreads
    .map((maxSkew, group): Spread => {
      const members = demands.demands.flatMap(({ spread }, d) => (spread === group ? [d] : []));
      const used = [...new Set(members.flatMap((d) => [...(zonesOf[d] ?? [])]))].sort();
      const isShared = (zone: string): boolean =>
        members.every((d) => zonesOf[d]?.has(zone) === true);
      const zones = used.map((zone) => ({ zone, isShared: isShared(zone) }));
      const amount = members.reduce((sum, d) => sum + (demands.demands[d]?.amount ?? 0), 0);
      return { members, maxSkew, zones, ...emptiest(amount, maxSkew, zones) };
    })
    .filter(({ zones }) => zones.some(({ isShared }) => isShared));
}

function zonesTaking(takers: readonly Taker[], d: number): ReadonlySet<string> {
  const taking = takers.filter(({ takes }) => takes[d] === true);
  return new Set(taking.map(({ cell }) => cell.offering.zone));
}

/**
 * Pods are whole. Were the emptiest zone to hold less than the least, all others at the skew above
 * it would not hold the rest; were it to hold more than the most, there would not be enough pods.
 */
function emptiest(
  amount: number,
  maxSkew: number,
  zones: Spread['zones'],
): Pick<Spread, 'least' | 'most'> {
  const least = Math.ceil((amount - (zones.length - 1) * maxSkew) / zones.length);
  const shared = zones.filter(({ isShared }) => isShared).length;
  return { least: Math.max(0, least), most: Math.floor(amount / shared) };
}
