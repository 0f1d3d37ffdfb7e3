import { inSlices } from '../../ports/slices.ts';
import { after, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { runAlone } from '../loops.ts';
import { disrupt } from './command.ts';
import { createEmptiness } from './emptiness.ts';
import { cleanLeftovers } from './leftovers.ts';
import type { Method } from './method.ts';

/** Without any change the clock alone may make a node ripe, or open a budget. */
const idleMs = 10_000;
/** Changes come in swarms; one look at their end is enough. */
const gatherMs = 1_000;

/** Removes nodes that are not needed. The methods are asked in order; the first move ends a round. */
export function startDisruption(
  context: Context,
  signal: AbortSignal,
): { readonly done: Promise<void> } {
  const methods: readonly Method[] = [createEmptiness(context)];
  const loop = runAlone(context, 'disruption', () => round(context, methods), signal);
  signal.addEventListener(
    'abort',
    context.cluster.onChange(() => loop.triggerAfter(gatherMs)),
    { once: true },
  );
  return loop;
}

async function round(context: Context, methods: readonly Method[]): Promise<Requeue> {
  await cleanLeftovers(context);
  await inSlices(context.cluster.catchingUp(), context.ports.clock);
  let nextInMs = idleMs;
  for (const method of methods) {
    const finding = method(context.cluster.snapshot());
    if (finding.moves.length > 0) {
      await disrupt(context, finding.moves);
      return after(gatherMs);
    }
    nextInMs = Math.min(nextInMs, finding.nextInMs ?? idleMs);
  }
  return after(nextInMs);
}
