import { type ConditionStatement, sameConditions, setCondition } from '../../api/conditions.ts';
import type { CapacityBuffer, CapacityBufferStatus } from '../../api/karpenter/capacity-buffer.ts';
import { keyOf } from '../../api/resource.ts';
import type { Informer } from '../../runtime/informer.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { followKeys, runKeyed } from '../loops.ts';
import { patchLocked } from '../writes.ts';
import type { BufferOutcome } from './buffer-book.ts';
import { type ResolvedBuffer, resolveBuffer, type UnresolvedBuffer } from './resolve.ts';

const activeCapacity = 'buffer.x-k8s.io/active-capacity';
/** Templates and workloads are looked up this often. */
const lookAgainMs = 30_000;

/** Turns CapacityBuffers into pods that wait for a place, and tells them what became of it. */
export function startBuffers(
  context: Context,
  buffers: Informer<CapacityBuffer>,
  signal: AbortSignal,
): { readonly done: Promise<void> } {
  const reconcile = (key: string) => reconcileBuffer(context, buffers, key);
  const loop = runKeyed(context, { name: 'capacitybuffer', reconcile }, signal);
  followKeys(buffers, signal, loop);
  const stop = context.bufferBook.onChange((key) => loop.enqueue(key));
  signal.addEventListener('abort', stop, { once: true });
  return loop;
}

async function reconcileBuffer(
  context: Context,
  buffers: Informer<CapacityBuffer>,
  key: string,
): Promise<Requeue> {
  const { ports, bufferBook } = context;
  const buffer = buffers.get(key);
  const strategy = buffer?.spec.provisioningStrategy ?? activeCapacity;
  const isOurs = buffer !== undefined && strategy === activeCapacity;
  if (!isOurs || buffer.metadata.deletionTimestamp !== undefined) {
    bufferBook.set(key, []);
    return onChange;
  }
  const resolved = await resolveBuffer(ports.kube, buffer);
  bufferBook.set(keyOf(buffer), resolved.kind === 'resolved' ? resolved.pods : []);
  const status = statusOf(buffer, resolved, {
    outcome: bufferBook.outcomeOf(key),
    nowMs: ports.clock.nowMs(),
  });
  if (!isSameStatus(buffer.status ?? {}, status))
    await patchLocked(
      { kube: ports.kube, informer: buffers, object: buffer },
      { status },
      'status',
    );
  return after(lookAgainMs);
}

function statusOf(
  buffer: CapacityBuffer,
  resolved: ResolvedBuffer | UnresolvedBuffer,
  { outcome, nowMs }: { readonly outcome: BufferOutcome | undefined; readonly nowMs: number },
): CapacityBufferStatus {
  const moment = { nowMs, generation: buffer.metadata.generation ?? 0 };
  const statements = [readiness(resolved), provisioning(resolved, outcome)];
  const conditions = statements
    .filter((statement) => statement !== undefined)
    .reduce(
      (all, statement) => setCondition(all, statement, moment),
      buffer.status?.conditions ?? [],
    );
  if (resolved.kind === 'unresolved')
    return { replicas: 0, provisioningStrategy: activeCapacity, conditions };
  const { templateRef, templateGeneration } = resolved;
  return {
    ...(templateRef === undefined ? {} : { podTemplateRef: templateRef }),
    ...(templateGeneration === undefined ? {} : { podTemplateGeneration: templateGeneration }),
    replicas: resolved.pods.length,
    provisioningStrategy: activeCapacity,
    conditions,
  };
}

function readiness(resolved: ResolvedBuffer | UnresolvedBuffer): ConditionStatement {
  const type = 'ReadyForProvisioning';
  if (resolved.kind === 'resolved')
    return { type, status: 'True', reason: 'Resolved', message: 'the pods are known' };
  const { reason, message } = resolved;
  return { type, status: 'False', reason, message };
}

/** Undefined while no plan has been made with the buffer: what was said before still holds. */
function provisioning(
  resolved: ResolvedBuffer | UnresolvedBuffer,
  outcome: BufferOutcome | undefined,
): ConditionStatement | undefined {
  const type = 'Provisioning';
  const no = (reason: string, message: string): ConditionStatement => ({
    type,
    status: 'False',
    reason,
    message,
  });
  if (resolved.kind === 'unresolved')
    return no('NotReadyForProvisioning', 'the pods are not known');
  if (resolved.pods.length === 0) return no('BufferEmpty', 'room is kept for no pod');
  if (outcome === undefined) return undefined;
  if (outcome === 'needs-nodes')
    return no('RequiresNewCapacity', 'room for some of the pods is still missing');
  return {
    type,
    status: 'True',
    reason: 'FitsExistingCapacity',
    message: 'there is room for all of the pods',
  };
}

function isSameStatus(before: CapacityBufferStatus, now: CapacityBufferStatus): boolean {
  return (
    before.replicas === now.replicas &&
    before.provisioningStrategy === now.provisioningStrategy &&
    before.podTemplateRef?.name === now.podTemplateRef?.name &&
    before.podTemplateGeneration === now.podTemplateGeneration &&
    sameConditions(before.conditions ?? [], now.conditions ?? [])
  );
}
