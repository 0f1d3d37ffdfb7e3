import {
  type ConditionStatement,
  clearCondition,
  sameConditions,
  setCondition,
  withReady,
} from '../api/conditions.ts';
import { type NodeClaim, type NodeClaimStatus, nodeClaims } from '../api/karpenter/node-claim.ts';
import type { Condition, KubeObject } from '../api/resource.ts';
import type { Clock } from '../ports/clock.ts';
import { isKubeError, type KubeClient } from '../ports/kube.ts';
import type { Informer } from '../runtime/informer.ts';
import { after, type Reconcile } from '../runtime/reconcile.ts';
import type { Context } from './context.ts';

export interface PatchTarget<T extends KubeObject> {
  readonly kube: KubeClient;
  readonly informer: Informer<T>;
  readonly object: T;
}

/**
 * Changes part of an object, and fails with `conflict` if somebody else changed it since we read
 * it. Our own copy is up to date when this returns.
 */
export async function patchLocked<T extends KubeObject>(
  { kube, informer, object }: PatchTarget<T>,
  body: { readonly metadata?: object; readonly [field: string]: unknown },
  subresource?: 'status',
): Promise<T> {
  const { name, namespace, resourceVersion } = object.metadata;
  const changed = await kube.patch(
    informer.resource,
    { name, namespace },
    {
      type: 'merge',
      body: { ...body, metadata: { ...body.metadata, resourceVersion } },
      subresource,
    },
  );
  informer.apply(changed);
  return changed;
}

/** The conditions that make up a claim's `Ready`. */
const claimDependents = ['Launched', 'Registered', 'Initialized'];

/** What is to become of a claim's status. */
export interface ClaimStatusChange {
  readonly set?: readonly ConditionStatement[];
  readonly clear?: readonly string[];
  readonly fields?: Omit<NodeClaimStatus, 'conditions'>;
}

/** Writes conditions and fields of a claim's status, or nothing at all where it says so already. */
export async function patchClaimStatus(
  { ports, informers }: Pick<Context, 'ports' | 'informers'>,
  claim: NodeClaim,
  change: ClaimStatusChange,
): Promise<NodeClaim> {
  const before = claim.status?.conditions ?? [];
  const conditions = changedConditions(claim, change, ports.clock);
  const fields = differing(change.fields ?? {}, claim.status ?? {});
  if (sameConditions(before, conditions) && Object.keys(fields).length === 0) return claim;
  return patchLocked(
    { kube: ports.kube, informer: informers.nodeClaims, object: claim },
    { status: { ...fields, conditions } },
    'status',
  );
}

function changedConditions(
  claim: NodeClaim,
  change: ClaimStatusChange,
  clock: Clock,
): readonly Condition[] {
  const moment = {
    nowMs: clock.nowMs(),
    generation: claim.metadata.generation ?? 0,
    createdAt: claim.metadata.creationTimestamp,
  };
  const before = claim.status?.conditions ?? [];
  let conditions = withReady(renewed(claim, before), claimDependents, moment);
  for (const type of change.clear ?? []) conditions = clearCondition(conditions, type);
  for (const statement of change.set ?? []) {
    conditions = setCondition(conditions, statement, moment);
  }
  return withReady(conditions, claimDependents, moment);
}

/** Deletion raises the generation and changes nothing else: what was found before still holds. */
function renewed(claim: NodeClaim, conditions: readonly Condition[]): readonly Condition[] {
  if (claim.metadata.deletionTimestamp === undefined) return conditions;
  const observedGeneration = claim.metadata.generation ?? 0;
  return conditions.map((condition) => ({ ...condition, observedGeneration }));
}

function differing(wanted: object, present: object): Record<string, unknown> {
  const seen = new Map<string, unknown>(Object.entries(present));
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => JSON.stringify(seen.get(name)) !== JSON.stringify(value),
    ),
  );
}

/** Asks for the deletion of a claim, unless that has been done. Safe to repeat. */
export async function deleteClaim(
  { ports, informers }: Pick<Context, 'ports' | 'informers'>,
  claim: NodeClaim,
): Promise<void> {
  if (claim.metadata.deletionTimestamp !== undefined) return;
  const { name, uid } = claim.metadata;
  try {
    const deleted = await ports.kube.delete(nodeClaims, { name }, { uid });
    if (deleted !== undefined) informers.nodeClaims.apply(deleted);
  } catch (error) {
    // Another claim of the same name: ours is gone already.
    if (!isKubeError(error, 'conflict')) throw error;
  }
}

const staleDelayMs = 250;

/**
 * The reconcile, with the two answers that only mean "your copy was old" taken for what they are:
 * after a conflict, or when something is gone, it is tried again as soon as the watch has told us.
 */
export function withFreshCopies(reconcile: Reconcile): Reconcile {
  return async (key, signal) => {
    try {
      return await reconcile(key, signal);
    } catch (error) {
      if (isKubeError(error, 'conflict', 'not-found')) return after(staleDelayMs);
      throw error;
    }
  };
}
