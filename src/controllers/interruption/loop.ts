import type { InterruptionQueue } from '../../ports/cloud-provider.ts';
import type { Context } from '../context.ts';
import { runAlone } from '../loops.ts';
import { createInstanceStatus } from './instance-status.ts';
import { reconcileInterruptions } from './interruption.ts';
import { interruptionMeters } from './meters.ts';

type Loop = { readonly done: Promise<void> };

/** Listens to the queue for as long as we act. */
export function startInterruption(
  context: Context,
  queue: InterruptionQueue,
  signal: AbortSignal,
): Loop {
  const desk = { context, queue, meters: interruptionMeters(context.ports.metrics) };
  return runAlone(context, 'interruption', (inner) => reconcileInterruptions(desk, inner), signal);
}

/** Asks the cloud every minute which machines are unwell. */
export function startInstanceStatus(context: Context, signal: AbortSignal): Loop {
  return runAlone(context, 'interruption.instancestatus', createInstanceStatus(context), signal);
}
