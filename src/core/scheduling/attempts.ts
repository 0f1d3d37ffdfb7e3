import type { PodClass } from '../cluster/pod-class.ts';
import type { Given } from './groundwork.ts';
import { Solution } from './solution.ts';
import type { Way } from './way.ts';

/** One more way to solve a batch, with its classes in some order. */
interface Attempt {
  readonly way: Way;
  readonly inOrder: (classes: readonly PodClass[]) => readonly PodClass[];
}

/**
 * What small batches are solved by, beside the usual way. No one of them is the cheapest always:
 * each was added for batches in which the original, by luck or not, had found something cheaper.
 */
export const attempts: readonly Attempt[] = [
  { way: 'boldly', inOrder: asServed },
  { way: 'one by one', inOrder: asServed },
  { way: 'in few nodes', inOrder: asServed },
  { way: 'one by one, unevenly', inOrder: asServed },
  { way: 'in few nodes, unevenly', inOrder: asServed },
  { way: 'one by one, unevenly', inOrder: mostMemoryFirst },
  { way: 'one by one', inOrder: leastMemoryFirst },
  { way: 'in few nodes, unevenly', inOrder: leastMemoryFirst },
  { way: 'one by one, unevenly', inOrder: mostCpuInAllFirst },
  { way: 'in few nodes, unevenly', inOrder: mostMemoryInAllFirst },
];

/**
 * What batches of some hundred pods are solved by, beside the usual way: like the original, with
 * as few nodes as can be. Where small machines are dear or missing this is at times the cheapest.
 */
export const fullestAttempts: readonly Attempt[] = [
  { way: 'in few nodes', inOrder: asServed },
  { way: 'in few nodes, unevenly', inOrder: leastMemoryFirst },
];

/** The cheapest of what is there and what the attempts find, whatever it saves, up to a hopeless one. */
export function* cheapestOf<T extends Solution | undefined>(
  given: Given,
  first: T,
  others: readonly Attempt[],
  isHopeless: (found: Solution) => boolean = () => false,
): Generator<void, Solution | T> {
  let best: Solution | T = first;
  for (const { way, inOrder } of others) {
    const other = yield* Solution.find({ ...given, classes: inOrder(given.classes) }, way);
    if (!other.isHalfKept && (best === undefined || other.isBetterThan(best))) best = other;
    if (isHopeless(other)) break;
  }
  return best;
}

function asServed(classes: readonly PodClass[]): readonly PodClass[] {
  return classes;
}

function mostMemoryFirst(classes: readonly PodClass[]): readonly PodClass[] {
  return [...classes].sort((a, b) => byPriority(a, b) || memoryOf(b) - memoryOf(a));
}

function leastMemoryFirst(classes: readonly PodClass[]): readonly PodClass[] {
  return [...classes].sort((a, b) => byPriority(a, b) || memoryOf(a) - memoryOf(b));
}

/** By what all pods of a class ask for together. */
function mostCpuInAllFirst(classes: readonly PodClass[]): readonly PodClass[] {
  return [...classes].sort((a, b) => byPriority(a, b) || cpuInAllOf(b) - cpuInAllOf(a));
}

function mostMemoryInAllFirst(classes: readonly PodClass[]): readonly PodClass[] {
  return [...classes].sort((a, b) => byPriority(a, b) || memoryInAllOf(b) - memoryInAllOf(a));
}

/** Whoever matters more is served first in any order. */
function byPriority({ sample: a }: PodClass, { sample: b }: PodClass): number {
  return b.priority - a.priority;
}

function memoryOf({ sample }: PodClass): number {
  return sample.requests.memory ?? 0;
}

function cpuInAllOf({ sample, pods }: PodClass): number {
  return (sample.requests.cpu ?? 0) * pods.length;
}

function memoryInAllOf(podClass: PodClass): number {
  return memoryOf(podClass) * podClass.pods.length;
}
