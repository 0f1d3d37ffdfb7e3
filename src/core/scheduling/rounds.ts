import type { Task } from './assigning/outlook.ts';

/** Tasks that are served until nobody finds a place any more. */
export interface Round {
  /** They alone first; nobody who has been served before has found a place since. */
  readonly newcomers: readonly Task[];
  readonly everyone: readonly Task[];
}

/**
 * Who is served in which round: first those that matter most, then these again with the next,
 * and so on. What someone leaves over is so offered to whoever matters more before others.
 */
export function* roundsOf(tasks: readonly Task[]): Iterable<Round> {
  const priorities = new Set(tasks.map(priorityOf));
  for (const least of [...priorities].sort((a, b) => b - a))
    yield {
      newcomers: tasks.filter((task) => priorityOf(task) === least),
      everyone: tasks.filter((task) => priorityOf(task) >= least),
    };
}

function priorityOf({ podClass }: Task): number {
  return podClass.sample.priority;
}

/** How many pods of the tasks have no place. */
export function leftOf(tasks: readonly Task[]): number {
  return tasks.reduce((sum, task) => sum + task.waiting.length, 0);
}
