import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { Pool } from '../../core/cluster/snapshot.ts';
import { requirementsOf } from '../../core/requirements/requirements.ts';
import { labels } from '../../core/requirements/well-known.ts';

/** How long a pool that had nothing to sell is asked last. */
const memoryMs = 30_000;
/** A refusal of fewer types is remembered type by type, and the next order names others. */
const manyTypes = 15;
/** The pause after an order of spot that could be had at no fair price; it doubles while that goes on. */
const shortestPauseMs = 5_000;
const longestPauseMs = 40_000;
/** More than the heaviest weight that a NodePool can have. */
const beyondWeights = 1_000;

/**
 * Pools of which the cloud has just refused an order of many types. When one way of buying runs
 * dry as a whole, learning so type by type takes a round for every fifteen of them, each dearer
 * than the one before. So after the first such refusal the pool goes behind all others for a
 * while. It stays in use: pods that only this pool will have go on trying it.
 *
 * The cloud adapter could hold the whole capacity type for empty instead. But it cannot tell
 * whether the pods have another pool; those that have none would wait for no reason.
 */
export class ScarcePools {
  readonly #untilMs = new Map<string, number>();
  readonly #pauses = new Map<string, { readonly lengthMs: number; readonly untilMs: number }>();

  /** How many pools are in a pause, or were moments ago. */
  get size(): number {
    return this.#pauses.size;
  }

  /** Takes note of a claim that was refused for lack of capacity. */
  note(claim: NodeClaim, nowMs: number): void {
    const poolName = claim.metadata.labels?.[labels.nodePool];
    const types = requirementsOf(claim.spec.requirements).get(labels.instanceType);
    const isWide = types?.kind !== 'only' || types.values.size >= manyTypes;
    if (poolName !== undefined && isWide) this.#untilMs.set(poolName, nowMs + memoryMs);
  }

  /**
   * How long a claim of the pool stays that could be had, though at no fair price: its pods would
   * order it again. Claims that are refused during a pause wait for its end.
   */
  pauseMs(claim: NodeClaim, nowMs: number): number {
    const poolName = claim.metadata.labels?.[labels.nodePool] ?? '';
    for (const [name, { untilMs }] of this.#pauses)
      if (nowMs - untilMs >= memoryMs) this.#pauses.delete(name);
    const before = this.#pauses.get(poolName);
    if (before !== undefined && nowMs < before.untilMs) return before.untilMs - nowMs;
    const lengthMs =
      before === undefined ? shortestPauseMs : Math.min(before.lengthMs * 2, longestPauseMs);
    this.#pauses.set(poolName, { lengthMs, untilMs: nowMs + lengthMs });
    return lengthMs;
  }

  /** The pools with weights by which scarce ones come last, in their own order. */
  weighed(pools: readonly Pool[], nowMs: number): readonly Pool[] {
    for (const [name, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(name);
    if (this.#untilMs.size === 0) return pools;
    return pools.map((pool) =>
      this.#untilMs.has(pool.name) ? { ...pool, weight: pool.weight - beyondWeights } : pool,
    );
  }
}
