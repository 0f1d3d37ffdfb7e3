import type { Random } from '../../ports/random.ts';
import type { Machine } from './machine.ts';
import type { NodeBootstrap } from './node-bootstrap.ts';

/** One machine's kubelet: what it is told, and how far it has come. Dropped when the machine stops. */
export interface Kubelet {
  readonly machine: Machine;
  readonly bootstrap: NodeBootstrap;
  readonly nodeName: string;
  readonly registersAtMs: number;
  readonly readyAtMs: number;
  /** The uid of the Node it registered. Another Node of the same name is none of its business. */
  nodeUid?: string;
  isReady: boolean;
}

/** Durations of a real node at speed 1. Chance adds up to as much again as `spread` says. */
const times = {
  register: { leastMs: 6_000, spreadMs: 4_000 },
  ready: { leastMs: 3_000, spreadMs: 3_000 },
  pull: { leastMs: 1_000, spreadMs: 1_000 },
} as const;

interface Pace {
  readonly random: Random;
  /** How many times faster than a real node; 1 is real. */
  readonly speed: number;
}

export function createKubelet(
  machine: Machine,
  bootstrap: NodeBootstrap,
  pace: Pace & { readonly nowMs: number },
): Kubelet {
  const registersAtMs = pace.nowMs + drawMs('register', pace);
  const readyAtMs = registersAtMs + drawMs('ready', pace);
  const nodeName = machine.privateDnsName;
  return { machine, bootstrap, nodeName, registersAtMs, readyAtMs, isReady: false };
}

/** How long the step takes this time. */
export function drawMs(step: keyof typeof times, { random, speed }: Pace): number {
  const { leastMs, spreadMs } = times[step];
  return Math.round((leastMs + spreadMs * random.fraction()) / speed);
}

/** How long containers take to stop once they are asked to, whatever grace they have beyond it. */
export function stopMs(graceSeconds: number, { speed }: Pace): number {
  return Math.min(graceSeconds * 1000, 1_000) / speed;
}
