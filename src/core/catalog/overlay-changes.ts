import type { InstanceType, Offering } from './instance-type.ts';
import type { Overlay } from './overlay.ts';

/** A type of a pool, with those of its offerings that an overlay means. */
export interface OverlayTarget {
  readonly poolName: string;
  readonly type: InstanceType;
  readonly offerings: readonly Offering[];
}

/** Which overlay sets what of one type in one pool. */
export interface TypeChange {
  readonly prices: ReadonlyMap<Offering, Overlay>;
  /** By name of the resource. */
  readonly capacity: ReadonlyMap<string, Overlay>;
}

interface OpenChange extends TypeChange {
  readonly prices: Map<Offering, Overlay>;
  readonly capacity: Map<string, Overlay>;
}

/** Who sets what: whoever enters a change first has it. */
export class OverlayChanges {
  readonly #byPool = new Map<string, Map<string, OpenChange>>();

  of(poolName: string, type: InstanceType): TypeChange | undefined {
    return this.#byPool.get(poolName)?.get(type.name);
  }

  /** An overlay of the same weight that has set one of the same things already. */
  rivalOf(overlay: Overlay, targets: readonly OverlayTarget[]): string | undefined {
    for (const { poolName, type, offerings } of targets) {
      const known = this.of(poolName, type);
      if (known === undefined) continue;
      const holders = [
        ...(overlay.price === undefined ? [] : offerings.map((one) => known.prices.get(one))),
        ...Object.keys(overlay.capacity).map((name) => known.capacity.get(name)),
      ];
      const rival = holders.find((holder) => holder?.weight === overlay.weight);
      if (rival !== undefined) return rival.name;
    }
    return undefined;
  }

  enter(overlay: Overlay, targets: readonly OverlayTarget[]): void {
    for (const { poolName, type, offerings } of targets) {
      const change = this.#open(poolName, type);
      if (overlay.price !== undefined)
        for (const offering of offerings)
          if (!change.prices.has(offering)) change.prices.set(offering, overlay);
      for (const name of Object.keys(overlay.capacity))
        if (!change.capacity.has(name)) change.capacity.set(name, overlay);
    }
  }

  #open(poolName: string, type: InstanceType): OpenChange {
    const types = this.#byPool.get(poolName) ?? new Map<string, OpenChange>();
    this.#byPool.set(poolName, types);
    const change = types.get(type.name) ?? { prices: new Map(), capacity: new Map() };
    types.set(type.name, change);
    return change;
  }
}
