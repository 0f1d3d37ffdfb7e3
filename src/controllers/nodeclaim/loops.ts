import { labels } from '../../core/requirements/well-known.ts';
import type { Context } from '../context.ts';
import { follow, followKeys, runAlone, runKeyed } from '../loops.ts';
import { reconcileConsolidatable } from './consolidatable.ts';
import { reconcileDrift } from './drift.ts';
import { reconcileExpiration } from './expiration.ts';
import { createGarbageCollection } from './garbage-collection.ts';
import { LaunchGroups } from './launch-groups.ts';
import { reconcileClaim } from './lifecycle.ts';
import { PodEvents } from './pod-events.ts';
import { reconcileTags } from './tagging.ts';

type Loop = { readonly done: Promise<void> };

export function startLifecycle(context: Context, signal: AbortSignal): Loop {
  const { informers } = context;
  const desk = { context, groups: new LaunchGroups(context.ports) };
  const loop = runKeyed(
    context,
    {
      name: 'nodeclaim.lifecycle',
      reconcile: (name, inner) => reconcileClaim(desk, name, inner),
      concurrency: 1_000,
      minBackoffMs: 1_000,
      maxBackoffMs: 60_000,
    },
    signal,
  );
  followKeys(informers.nodeClaims, signal, loop);
  follow(informers.nodes, signal, ({ spec }) => {
    for (const { metadata } of informers.nodeClaims.by('provider-id', spec?.providerID ?? '')) {
      loop.enqueue(metadata.name);
    }
  });
  return loop;
}

export function startPodEvents(context: Context, signal: AbortSignal): Loop {
  const podEvents = new PodEvents(context);
  const name = 'nodeclaim.podevents';
  const loop = runKeyed(context, { name, reconcile: (key) => podEvents.reconcile(key) }, signal);
  const stop = context.informers.pods.onChange((change) => {
    const claimName = podEvents.note(change);
    if (claimName !== undefined) loop.enqueue(claimName);
  });
  signal.addEventListener('abort', stop, { once: true });
  return loop;
}

export function startConsolidatable(context: Context, signal: AbortSignal): Loop {
  const { informers } = context;
  const reconcile = (key: string) => reconcileConsolidatable(context, key);
  const loop = runKeyed(context, { name: 'nodeclaim.disruption', reconcile }, signal);
  followKeys(informers.nodeClaims, signal, loop);
  const stop = informers.nodePools.onChange(({ object }) => {
    for (const claim of informers.nodeClaims.by('pool', object.metadata.name)) {
      if (claim.metadata.labels?.[labels.nodePool] !== undefined) loop.enqueue(claim.metadata.name);
    }
  });
  signal.addEventListener('abort', stop, { once: true });
  return loop;
}

export function startDrift(context: Context, signal: AbortSignal): Loop {
  const { informers } = context;
  const reconcile = (key: string) => reconcileDrift(context, key);
  const loop = runKeyed(context, { name: 'nodeclaim.drift', reconcile }, signal);
  followKeys(informers.nodeClaims, signal, loop);
  follow(informers.nodePools, signal, ({ metadata }) => {
    for (const claim of informers.nodeClaims.by('pool', metadata.name))
      loop.enqueue(claim.metadata.name);
  });
  follow(informers.nodeClasses, signal, ({ metadata }) => {
    for (const claim of informers.nodeClaims.by('node-class', metadata.name))
      loop.enqueue(claim.metadata.name);
  });
  return loop;
}

export function startExpiration(context: Context, signal: AbortSignal): Loop {
  const reconcile = (key: string) => reconcileExpiration(context, key);
  const loop = runKeyed(context, { name: 'nodeclaim.expiration', reconcile }, signal);
  followKeys(context.informers.nodeClaims, signal, loop);
  return loop;
}

export function startTagging(context: Context, signal: AbortSignal): Loop {
  const reconcile = (key: string, inner: AbortSignal) => reconcileTags(context, key, inner);
  const loop = runKeyed(
    context,
    { name: 'nodeclaim.tagging', reconcile, concurrency: 1, maxBackoffMs: 300_000 },
    signal,
  );
  followKeys(context.informers.nodeClaims, signal, loop);
  return loop;
}

/** How old a machine without a claim must be before it may be collected, and a little more. */
const afterLostClaimMs = 35_000;

export function startGarbageCollection(context: Context, signal: AbortSignal): Loop {
  const round = createGarbageCollection(context);
  const loop = runAlone(context, 'nodeclaim.garbagecollection', round, signal);
  const stop = context.informers.nodeClaims.onChange(({ type, object }) => {
    // A claim that ended without knowing its machine may have had one all the same.
    const isUnsure = type === 'deleted' && (object.status?.providerID ?? '') === '';
    if (isUnsure) loop.triggerAfter(afterLostClaimMs);
  });
  signal.addEventListener('abort', stop, { once: true });
  return loop;
}
