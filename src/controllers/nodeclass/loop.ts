import type { Context } from '../context.ts';
import { runAlone, runKeyed } from '../loops.ts';
import { collectInstanceProfiles } from './instance-profiles.ts';
import { collectLaunchTemplates } from './launch-templates.ts';
import { reconcileNodeClass } from './node-class.ts';

type Loop = { readonly done: Promise<void> };

/** Keeps EC2NodeClasses resolved. */
export function startNodeClasses(context: Context, signal: AbortSignal): Loop {
  const { informers } = context;
  const loop = runKeyed(
    context,
    { name: 'nodeclass', reconcile: (key) => reconcileNodeClass(context, key) },
    signal,
  );
  const stops = [
    // Only what people change; our own status must not wake us up again.
    informers.nodeClasses.onChange(({ type, object, previous }) => {
      const isSame =
        type === 'updated' &&
        object.metadata.generation === previous?.metadata.generation &&
        object.metadata.deletionTimestamp === previous?.metadata.deletionTimestamp;
      if (!isSame) loop.enqueue(object.metadata.name);
    }),
    informers.nodeClaims.onChange(({ type, object }) => {
      const nodeClass = informers.nodeClasses.get(object.spec.nodeClassRef.name);
      const isAwaited = nodeClass?.metadata.deletionTimestamp !== undefined;
      if (type === 'deleted' && isAwaited) loop.enqueue(object.spec.nodeClassRef.name);
    }),
  ];
  for (const { metadata } of informers.nodeClasses.list()) loop.enqueue(metadata.name);
  for (const stop of stops) signal.addEventListener('abort', stop, { once: true });
  return loop;
}

export function startLaunchTemplateCollection(context: Context, signal: AbortSignal): Loop {
  return runAlone(
    context,
    'launchtemplate.garbagecollection',
    () => collectLaunchTemplates(context),
    signal,
  );
}

export function startInstanceProfileCollection(context: Context, signal: AbortSignal): Loop {
  return runAlone(
    context,
    'instanceprofile.garbagecollection',
    () => collectInstanceProfiles(context),
    signal,
  );
}
