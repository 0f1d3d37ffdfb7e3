import { decodeResources } from '../../../src/api/decode/resources.ts';
import type { NodeClaim } from '../../../src/api/karpenter/node-claim.ts';
import { type NodePool, nodePools } from '../../../src/api/karpenter/node-pool.ts';
import { isTrue } from '../../../src/api/resource.ts';
import { add, type Resources } from '../../../src/core/quantity/resources.ts';
import type { TestWorld } from '../harness.ts';

const intervalMs = 500;
/** How old a copy of a pool may be that an order is made from. */
const lagMs = 12_000;

interface Seen {
  readonly name: string;
  readonly pool: string;
  readonly atMs: number;
  /** Of its pool, and not leaving, when it came. */
  readonly others: readonly string[];
}

/** Looks on while a story is played: were the limits of the pools kept at every order? */
export class Witness {
  readonly #world: TestWorld;
  readonly #seen = new Map<string, Seen>();
  readonly #sizes = new Map<string, Resources>();
  readonly #limits = new Map<string, { readonly atMs: number; readonly limits: Resources }[]>();
  /** Claims whose nodes were ready, and those of them that had a pod, by name. */
  readonly #ready = new Set<string>();
  readonly #hosts = new Set<string>();
  #isStopped = false;

  constructor(world: TestWorld) {
    this.#world = world;
    this.#lookOn();
  }

  stop(): void {
    this.#isStopped = true;
  }

  #lookOn(): void {
    if (this.#isStopped) return;
    void this.#look();
    this.#world.clock.schedule(intervalMs, () => this.#lookOn());
  }

  async #look(): Promise<void> {
    const { items } = await this.#world.kube.list(nodePools);
    this.#lookAtPools(items);
    const claims = this.#world.claims();
    const busy = new Set(this.#world.workloadPods().flatMap(({ spec }) => spec.nodeName ?? []));
    for (const claim of claims) {
      const { name } = claim.metadata;
      if (!this.#seen.has(name)) this.#seen.set(name, this.#first(claim, claims));
      const capacity = claim.status?.capacity;
      if (isTrue(claim, 'Initialized')) this.#ready.add(name);
      if (busy.has(claim.status?.nodeName ?? '')) this.#hosts.add(name);
      if (capacity !== undefined) this.#sizes.set(name, decodeResources(capacity, 'c').resources);
    }
  }

  #lookAtPools(pools: readonly NodePool[]): void {
    for (const { metadata, spec } of pools) {
      const kept = this.#limits.get(metadata.name) ?? [];
      const limits = spec.limits === undefined ? {} : decodeResources(spec.limits, 'l').resources;
      const last = kept.at(-1);
      if (JSON.stringify(last?.limits) !== JSON.stringify(limits))
        kept.push({ atMs: this.#world.clock.nowMs(), limits });
      this.#limits.set(metadata.name, kept);
    }
  }

  #first(claim: NodeClaim, claims: readonly NodeClaim[]): Seen {
    const pool = poolOf(claim);
    const others = claims
      .filter((other) => poolOf(other) === pool && !this.#isLeaving(other))
      .map(({ metadata }) => metadata.name)
      .filter((name) => this.#seen.has(name) && name !== claim.metadata.name);
    return { name: claim.metadata.name, pool, atMs: this.#world.clock.nowMs(), others };
  }

  #isLeaving({ metadata, status }: NodeClaim): boolean {
    const node = this.#world.nodes().find((one) => one.metadata.name === status?.nodeName);
    return [metadata, node?.metadata].some((one) => one?.deletionTimestamp !== undefined);
  }

  /** Orders that went over every limit that their pool may have been believed to have. */
  overshoots(): readonly string[] {
    return [...this.#seen.values()].flatMap((seen) => {
      const total = this.#totalWith(seen);
      const believed = this.#believedAt(seen);
      const isKept = believed.some((limits) =>
        Object.entries(limits).every(([key, most]) => (total[key] ?? 0) <= most),
      );
      if (isKept || believed.length === 0 || !this.#sizes.has(seen.name)) return [];
      return [`${seen.name} makes ${JSON.stringify(total)} of ${JSON.stringify(believed)}`];
    });
  }

  /**
   * Machines that never had a pod, if they are more than one in twenty. The kube-scheduler is free to
   * choose otherwise than we planned, and where pods differ that can leave one over.
   */
  boughtInVain(): readonly string[] {
    const idle = [...this.#ready].filter((name) => !this.#hosts.has(name));
    const isTooMany = idle.length > Math.ceil(this.#ready.size / 20);
    return isTooMany ? [`of ${this.#ready.size} machines ${idle.join()} never had a pod`] : [];
  }

  #totalWith({ name, others }: Seen): Resources {
    const sizes = [...others, name].map((one) => ({ ...this.#sizes.get(one), nodes: 1 }));
    return sizes.reduce<Resources>(add, {});
  }

  #believedAt({ pool, atMs }: Seen): readonly Resources[] {
    const history = this.#limits.get(pool) ?? [];
    return history
      .filter(
        (one, index) => one.atMs <= atMs && (history[index + 1]?.atMs ?? Infinity) >= atMs - lagMs,
      )
      .map(({ limits }) => limits);
  }
}

function poolOf({ metadata }: NodeClaim): string {
  return metadata.labels?.['karpenter.sh/nodepool'] ?? '';
}
