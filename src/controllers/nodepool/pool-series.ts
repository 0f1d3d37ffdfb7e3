import type { Resources } from '../../core/quantity/resources.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { Gauge } from '../../ports/metrics.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';

/** Whoever asks now and then shall still see what was counted last, and a pool may come back. */
const rememberedMs = 3_600_000;

/**
 * What metrics tell of each NodePool: what it uses and may use, as long as there is it, and what was
 * counted under its name until an hour after its end. Names of pools that are gone for good must not
 * add up for as long as the process lives.
 */
export class PoolSeries {
  readonly #context: Context;
  /** Since when there is nothing left of the pool, by its name. */
  readonly #goneSinceMs = new Map<string, number>();

  constructor(context: Context) {
    this.#context = context;
  }

  show(nodepool: string, usage: Resources): void {
    const { meters, cluster } = this.#context;
    this.#goneSinceMs.delete(nodepool);
    const limits = cluster.snapshot().pools.find(({ name }) => name === nodepool)?.limits;
    showAmounts(meters.poolUsage, nodepool, usage);
    showAmounts(meters.poolLimit, nodepool, limits ?? {});
  }

  /** The pool is gone. Its last claims may not be: they are still counted under its name. */
  end(nodepool: string): Requeue {
    const { meters, ports } = this.#context;
    for (const gauge of [meters.poolUsage, meters.poolLimit]) gauge.clear({ nodepool });
    if (this.#hasRemains(nodepool)) return onChange;
    const nowMs = ports.clock.nowMs();
    const sinceMs = this.#goneSinceMs.get(nodepool) ?? nowMs;
    this.#goneSinceMs.set(nodepool, sinceMs);
    const leftMs = sinceMs + rememberedMs - nowMs;
    if (leftMs > 0) return after(leftMs);
    this.#goneSinceMs.delete(nodepool);
    for (const counter of this.#counters()) counter.clear({ nodepool });
    return onChange;
  }

  #hasRemains(nodepool: string): boolean {
    const { nodeClaims, nodes } = this.#context.informers;
    return [...nodeClaims.list(), ...nodes.list()].some(
      ({ metadata }) => metadata.labels?.[labels.nodePool] === nodepool,
    );
  }

  #counters() {
    const { meters } = this.#context;
    return [
      ...[meters.claimsCreated, meters.claimsDisrupted, meters.claimsTerminated],
      ...[meters.nodesCreated, meters.nodesDrained, meters.nodesTerminated],
    ];
  }
}

/** Nothing else of the pool stays: a limit that was lifted, or a resource that nobody has any more. */
function showAmounts(gauge: Gauge, nodepool: string, amounts: Resources): void {
  gauge.clear({ nodepool });
  for (const [resource, amount] of Object.entries(amounts)) {
    const value = resource === 'cpu' ? amount / 1_000 : amount;
    gauge.set(value, { nodepool, resource_type: resource });
  }
}
