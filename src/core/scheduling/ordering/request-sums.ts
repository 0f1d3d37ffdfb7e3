import type { Vector } from '../../quantity/columns.ts';
import type { Resources } from '../../quantity/resources.ts';
import type { Demand } from '../packing/demand.ts';
import type { OpenNode } from '../packing/open-node.ts';

/**
 * What the pods and daemons of nodes ask for in all. Nodes in a row are often filled with pods of
 * the same sizes, and then share one sum.
 */
export class RequestSums {
  /** By guest of the last node, what each pod needs and how many they are. */
  readonly #needs: Vector[] = [];
  readonly #times: number[] = [];
  /** By need, what pods ask for that have it: pods that were not looked at for long are far away. */
  readonly #requests = new Map<Vector, Resources>();
  #guests = 0;
  #daemons: Resources | undefined;
  #sum: Resources | undefined;

  of(node: OpenNode, daemons: Resources): Resources {
    const isFilledAlike = this.#note(node);
    if (this.#sum === undefined || !isFilledAlike || daemons !== this.#daemons)
      this.#sum = this.#sumOf(node, daemons);
    this.#daemons = daemons;
    return this.#sum;
  }

  /** Whether the node is filled like the last one. Those who need the same share one vector. */
  #note({ guests }: OpenNode): boolean {
    let isAlike = guests.length === this.#guests;
    let guest = 0;
    for (const { demand, pods } of guests) {
      const { need } = demand;
      if (this.#needs[guest] !== need || this.#times[guest] !== pods.length) isAlike = false;
      this.#needs[guest] = need;
      this.#times[guest] = pods.length;
      guest += 1;
    }
    this.#guests = guest;
    return isAlike;
  }

  #sumOf({ guests }: OpenNode, daemons: Resources): Resources {
    const sum: Record<string, number> = { ...daemons };
    for (const { demand, pods } of guests) {
      const each = this.#requestsOf(demand);
      for (const name in each) sum[name] = added(sum[name] ?? 0, each[name] ?? 0, pods.length);
    }
    return sum;
  }

  #requestsOf({ need, podClass }: Demand): Resources {
    const known = this.#requests.get(need);
    if (known !== undefined) return known;
    const { requests } = podClass.sample;
    this.#requests.set(need, requests);
    return requests;
  }
}

/** Added up one by one, as whoever checks it does: that rounds differently from multiplying. */
function added(before: number, each: number, times: number): number {
  let sum = before;
  for (let count = 0; count < times; count++) sum += each;
  return sum;
}
