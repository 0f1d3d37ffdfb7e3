import { isTrue } from '../../api/resource.ts';
import type { Context } from '../context.ts';

/** The longest that orders of an earlier life may hold up the first plan. */
const patienceMs = 30_000;

/**
 * Unlaunched claims say for which pods they were made, but nobody remembers after a start who was
 * sent there since. Once they are launched their labels and size are known and those pods find them
 * again, so the first plan waits for that, a while at most. Later claims hold up nothing.
 */
export function createSettling({ informers, ports }: Context): () => boolean {
  const startedMs = ports.clock.nowMs();
  const isUnlaunched = (name: string): boolean => {
    const claim = informers.nodeClaims.get(name);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return false;
    return !isTrue(claim, 'Launched');
  };
  let open = informers.nodeClaims.list().map((claim) => claim.metadata.name);
  return () => {
    open = ports.clock.nowMs() - startedMs < patienceMs ? open.filter(isUnlaunched) : [];
    return open.length === 0;
  };
}
