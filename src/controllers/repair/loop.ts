import type { Context } from '../context.ts';
import { followKeys, runKeyed } from '../loops.ts';
import { reconcileHealth } from './repair.ts';

/** Watches every node for conditions that call for another machine. */
export function startRepair(
  context: Context,
  signal: AbortSignal,
): { readonly done: Promise<void> } {
  const reconcile = (key: string) => reconcileHealth(context, key);
  const loop = runKeyed(context, { name: 'node.health', reconcile }, signal);
  followKeys(context.informers.nodes, signal, loop);
  return loop;
}
