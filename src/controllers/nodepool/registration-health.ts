import { awaitingReconciliation, type ConditionStatement } from '../../api/conditions.ts';
import { parseTime } from '../../api/decode/duration.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import { conditionOf, isTrue } from '../../api/resource.ts';

/** How a machine's way into the cluster ended. */
export type RegistrationOutcome =
  | { readonly kind: 'registered' }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string };

const remembered = 4;
const tooMany = 2;
const type = 'NodeRegistrationHealthy';

/** The latest registrations of every pool, by its uid. Lost with the process, and made up for. */
export class RegistrationHealth {
  readonly #outcomes = new Map<string, readonly RegistrationOutcome[]>();

  note(poolUid: string, outcome: RegistrationOutcome): void {
    const before = this.#outcomes.get(poolUid) ?? [];
    this.#outcomes.set(poolUid, [...before, outcome].slice(-remembered));
  }

  forget(poolUid: string): void {
    this.#outcomes.delete(poolUid);
  }

  isEmpty(poolUid: string): boolean {
    return !this.#outcomes.has(poolUid);
  }

  /** What the last outcome makes of the pool; undefined when it changes nothing. */
  verdict(poolUid: string): RegistrationOutcome | undefined {
    const outcomes = this.#outcomes.get(poolUid) ?? [];
    const failures = outcomes.filter(({ kind }) => kind === 'failed').length;
    const last = outcomes.at(-1);
    const isUnhealthy = failures >= tooMany;
    return (last?.kind === 'failed') === isUnhealthy ? last : undefined;
  }
}

/**
 * What is to be said of the pool's registrations, if anything new. When the pool or its class has
 * changed, nothing is known any more; after a start, what was said last is taken for granted.
 */
export function registrationStatement(
  pool: NodePool,
  classGeneration: number,
  health: RegistrationHealth,
): ConditionStatement | undefined {
  const { uid = '', generation = 0 } = pool.metadata;
  const said = conditionOf(pool, type);
  const isChanged =
    said === undefined ||
    said.observedGeneration !== generation ||
    pool.status?.nodeClassObservedGeneration !== classGeneration;
  if (isChanged) {
    health.forget(uid);
    return awaitingReconciliation(type);
  }
  if (health.isEmpty(uid)) remember(health, uid, said);
  const verdict = health.verdict(uid);
  if (verdict === undefined) return undefined;
  if (verdict.kind === 'registered') return { type, status: 'True' };
  const { reason, message } = verdict;
  // The first failure that counted is told; a later one of the same kind is no news.
  return said.status === 'False' ? undefined : { type, status: 'False', reason, message };
}

function remember(
  health: RegistrationHealth,
  uid: string,
  said: { readonly status: string; readonly reason?: string; readonly message?: string },
): void {
  if (said.status === 'True') health.note(uid, { kind: 'registered' });
  if (said.status !== 'False') return;
  const { reason = '', message = '' } = said;
  for (let i = 0; i < tooMany; i++) health.note(uid, { kind: 'failed', reason, message });
}

const launchTimeoutMs = 5 * 60_000;

/**
 * How the claim's registration ended with this change of it; undefined when it did not. A claim
 * that goes unregistered after its time was up has failed; one that goes earlier was not wanted.
 */
export function outcomeOf(
  claim: NodeClaim,
  previous: NodeClaim | undefined,
): RegistrationOutcome | undefined {
  if (previous === undefined) return undefined;
  if (isTrue(claim, 'Registered')) {
    return isTrue(previous, 'Registered') ? undefined : { kind: 'registered' };
  }
  const endedMs = parseTime(claim.metadata.deletionTimestamp);
  if (endedMs === undefined || previous.metadata.deletionTimestamp !== undefined) return undefined;
  const bornMs = parseTime(claim.metadata.creationTimestamp) ?? endedMs;
  const launched = conditionOf(claim, 'Launched');
  if (launched?.status === 'True') {
    const hasTimedOut = endedMs - bornMs >= 3 * launchTimeoutMs;
    return hasTimedOut ? { kind: 'failed', ...notRegistered } : undefined;
  }
  if (endedMs - bornMs < launchTimeoutMs) return undefined;
  const { reason = 'LaunchFailed', message = '' } = launched ?? {};
  return { kind: 'failed', reason, message };
}

const notRegistered = { reason: 'RegistrationFailed', message: 'Failed to register node' };
