import { parseDuration, parseTime } from '../../api/decode/duration.ts';
import { timeText } from '../../core/explain/words.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { deleteClaim } from '../writes.ts';
import { countDisrupted } from './give-up.ts';

/** Timers of the platform hold 24 days at most; a longer wait is cut into pieces. */
const longestWaitMs = 24 * 60 * 60_000;

/** Deletes a claim that has reached its age. Forceful: budgets and annotations are not asked. */
export async function reconcileExpiration(context: Context, name: string): Promise<Requeue> {
  const { informers, ports } = context;
  const claim = informers.nodeClaims.get(name);
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return onChange;
  const lifeMs = parseDuration(claim.spec.expireAfter ?? '720h') ?? Infinity;
  if (lifeMs === Infinity) return onChange;
  const nowMs = ports.clock.nowMs();
  const restMs = (parseTime(claim.metadata.creationTimestamp) ?? nowMs) + lifeMs - nowMs;
  if (restMs > 0) return after(Math.min(restMs, longestWaitMs));
  await deleteClaim(context, claim);
  countDisrupted(context, claim, 'expired');
  const sentence = `NodeClaim ${name} has reached its age of ${timeText(lifeMs)} (expireAfter) and is replaced.`;
  ports.events.publish({ about: claim, type: 'Normal', reason: 'Expired', message: sentence });
  ports.decisions.record({
    code: 'NodeExpired',
    subject: { kind: 'NodeClaim', name },
    because: [{ name: 'expireAfter', value: claim.spec.expireAfter ?? '720h' }],
    sentence,
  });
  return onChange;
}
