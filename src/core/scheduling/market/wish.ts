import { firstRepellingTaint, type Pod, type Taint, tolerates } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import { combine, type Requirements, requirementsKey } from '../../requirements/requirements.ts';
import { isImpossible } from '../../requirements/value-set.ts';

/** What pods ask of a node's labels, and the pools whose taints they bear; equal wishes are one. */
export interface Wish {
  readonly id: number;
  readonly requirements: Requirements;
  /** One character per pool, in their order: `1` where it may be asked. */
  readonly pools: string;
}

/** Stands for two wishes that no node can meet at once. */
export const impossible = -1;

/** Every wish of one solve, numbered, with the joins of any two of them. */
export class Wishes {
  readonly #pools: readonly Pool[];
  readonly #all: Wish[] = [];
  readonly #ids = new Map<string, number>();
  readonly #joins = new Map<number, number>();
  /** The last answer for the very same requirements. */
  readonly #last = new Map<Requirements, Wish>();

  constructor(pools: readonly Pool[]) {
    this.#pools = pools;
  }

  /** `isPatient` means that taints which only discourage keep the pod away too. */
  of(requirements: Requirements, pod: Pod, isPatient: boolean): Wish {
    let pools = '';
    for (const { taints } of this.#pools) pools += repels(taints, pod, isPatient) ? '0' : '1';
    const last = this.#last.get(requirements);
    if (last?.pools === pools) return last;
    const wish = this.get(this.#intern(requirements, pools));
    this.#last.set(requirements, wish);
    return wish;
  }

  get(id: number): Wish {
    const wish = this.#all[id];
    if (wish === undefined) throw new Error(`there is no wish ${id}`);
    return wish;
  }

  /** The wish of pods of both kinds together, or `impossible`. */
  join(a: number, b: number): number {
    if (a === b) return a;
    const pair = a < b ? a * 1e6 + b : b * 1e6 + a;
    const known = this.#joins.get(pair);
    if (known !== undefined) return known;
    const joined = this.#joinAnew(this.get(a), this.get(b));
    this.#joins.set(pair, joined);
    return joined;
  }

  #joinAnew(a: Wish, b: Wish): number {
    const pools = [...a.pools].map((one, index) => (one === b.pools[index] ? one : '0')).join('');
    if (!pools.includes('1')) return impossible;
    const requirements = combine(a.requirements, b.requirements);
    for (const set of requirements.values()) if (isImpossible(set)) return impossible;
    return this.#intern(requirements, pools);
  }

  #intern(requirements: Requirements, pools: string): number {
    const key = `${pools} ${requirementsKey(requirements)}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#all.length;
    this.#all.push({ id, requirements, pools });
    this.#ids.set(key, id);
    return id;
  }
}

/** Whether a taint keeps the pod away; a patient pod heeds those that only discourage as well. */
export function repels(
  taints: readonly Taint[],
  pod: Pick<Pod, 'tolerations'>,
  isPatient: boolean,
): boolean {
  if (taints.length === 0) return false;
  if (!isPatient) return firstRepellingTaint(pod.tolerations, taints) !== undefined;
  return taints.some((taint) => !tolerates(pod.tolerations, taint));
}
