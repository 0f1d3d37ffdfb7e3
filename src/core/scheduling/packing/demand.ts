import type { HostPort, Pod } from '../../cluster/pod.ts';
import type { PodClass } from '../../cluster/pod-class.ts';
import type { Vector } from '../../quantity/columns.ts';
import type { Ties } from '../between-pods/topology.ts';
import type { Markets } from '../market/market.ts';
import { type Front, frontOf, leastIn } from './front.ts';

/** Pods of one class that need a new node, all with the same wish. */
export interface Demand {
  readonly podClass: PodClass;
  readonly need: Vector;
  readonly ties: Ties;
  /** Host ports that each of the pods wants for itself. */
  readonly ports: readonly HostPort[];
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
  /** The weight class of pools that has a machine for such a pod; Infinity where none has. */
  readonly tier: number;
  readonly usdPerHour: number;
}

/** The answer where nothing that can be bought would do. */
export const unaffordable: Worth = { tier: Infinity, usdPerHour: Infinity };
/** Capacity that is paid for already costs nothing; it must still be possible to compare. */
const trifle = 1e-9;

/** What single pods are worth; the same question is answered once. */
export class Worths {
  readonly #tiers: readonly Markets[];
  readonly #known = new Map<Vector, Map<number, Worth>>();
  /** By tier and wish. */
  readonly #fronts: Front[][] = [];

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
    for (let tier = 0; tier < this.#tiers.length; tier++) {
      const least = leastIn(this.#frontOf(tier, at.wish), { pod, need, soloCap: at.soloCap });
      if (least < Infinity) return { tier, usdPerHour: Math.max(least, trifle) };
    }
    return unaffordable;
  }

  #frontOf(tier: number, wish: number): Front {
    const fronts = this.#fronts[tier] ?? [];
    this.#fronts[tier] = fronts;
    const known = fronts[wish];
    if (known !== undefined) return known;
    const front = frontOf(this.#tiers[tier], wish);
    fronts[wish] = front;
    return front;
  }
}
