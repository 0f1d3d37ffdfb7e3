import { type HostPort, type Pod, portsClash } from '../cluster/pod.ts';
import type { PodClass } from '../cluster/pod-class.ts';
import type { Vector } from '../quantity/columns.ts';
import type { Markets } from './market.ts';
import type { Good } from './stock.ts';
import type { Ties } from './topology.ts';

/** Pods of one class that need a new node, all with the same wish. */
export interface Demand {
  readonly podClass: PodClass;
  readonly need: Vector;
  readonly ties: Ties;
  /** The id of the wish, in which the domains that the pods were given are settled. */
  readonly wish: number;
  /** Labels settled for these pods, by key. */
  readonly pins: ReadonlyMap<string, string>;
  /** The weight class of pools, the heaviest being 0, that is asked first. */
  readonly tier: number;
  /** What one such pod costs at the least, on machines full of its like. */
  readonly worthUsdPerHour: number;
  /** Taken from the end as they are packed. */
  readonly pods: Pod[];
}

/** What a pod costs at the least, and from which tier. */
export interface Worth {
  readonly tier: number;
  readonly usdPerHour: number;
}

const unaffordable: Worth = { tier: Infinity, usdPerHour: Infinity };
/** Capacity that is paid for already costs nothing; it must still be possible to compare. */
const trifle = 1e-9;

/** What single pods are worth; the same question is answered once. */
export class Worths {
  readonly #tiers: readonly Markets[];
  readonly #known = new Map<Vector, Map<number, Worth>>();

  constructor(tiers: readonly Markets[]) {
    this.#tiers = tiers;
  }

  /**
   * Infinite where nothing that can be bought holds even one such pod. Equal needs are to be the
   * same vector, so that they share their answers.
   */
  of(pod: Pod, need: Vector, at: { readonly wish: number; readonly soloCap: number }): Worth {
    if (pod.hostPorts.length > 0) return this.#ask(pod, need, at);
    const cap = Math.min(at.soloCap, 4095);
    const key = at.wish * 4096 + cap;
    const ofNeed = this.#known.get(need) ?? new Map<number, Worth>();
    this.#known.set(need, ofNeed);
    const worth = ofNeed.get(key) ?? this.#ask(pod, need, at);
    ofNeed.set(key, worth);
    return worth;
  }

  #ask(pod: Pod, need: Vector, at: { readonly wish: number; readonly soloCap: number }): Worth {
    const wanted = { need, ports: pod.hostPorts };
    for (const [tier, markets] of this.#tiers.entries()) {
      let least = Infinity;
      for (const good of markets.of(at.wish).front) {
        // They only become dearer from here on, and hold no more such pods than that.
        if (good.priceUsdPerHour >= least * at.soloCap) break;
        const room = roomFor(wanted, good, markets);
        const pods = Math.min(room, at.soloCap);
        if (pods > 0) least = Math.min(least, good.priceUsdPerHour / pods);
      }
      if (least < Infinity) return { tier, usdPerHour: Math.max(least, trifle) };
    }
    return unaffordable;
  }
}

/** How many such pods an otherwise empty machine holds. */
function roomFor(
  { need, ports }: { readonly need: Vector; readonly ports: readonly HostPort[] },
  good: Good,
  markets: Markets,
): number {
  const room = markets.room(good.shape, need);
  if (ports.length === 0 || room === 0) return room === Infinity ? 110 : room;
  return portsClash(ports, good.shape.daemonPorts) ? 0 : 1;
}
