import type { Task } from './assigning/outlook.ts';

/** Tasks that are served until nobody finds a place any more. */
export interface Round {
  /** They alone first; nobody who has been served before has found a place since. */
  readonly newcomers: readonly Task[];
  readonly everyone: readonly Task[];
}

/**
 * Who is served in which round: first those that matter most, then these again with the next,
 * and so on. What someone leaves over is so offered to whoever matters more before others. Where
 * they are treated as equal there is one round.
 */
export function* roundsOf(tasks: readonly Task[], areEqual: boolean): Iterable<Round> {
  if (areEqual) return yield { newcomers: tasks, everyone: tasks };
  const priorities = new Set(tasks.map(priorityOf));
  for (const least of [...priorities].sort((a, b) => b - a))
    yield {
      newcomers: tasks.filter((task) => priorityOf(task) === least),
      everyone: tasks.filter((task) => priorityOf(task) >= least),
    };
}

/** The tasks in turn. Those that should wait when their turn comes are served after all others. */
export function* inTurn(
  tasks: readonly Task[],
  shouldWait: (task: Task) => boolean,
): Iterable<Task> {
  const late: Task[] = [];
  for (const task of tasks)
    if (shouldWait(task)) late.push(task);
    else yield task;
  yield* late;
}

/** Whether some pods matter more than others. Whatever else orders tasks, these come first. */
export function hasPriorities(tasks: readonly Task[]): boolean {
  const [first, last] = [tasks[0], tasks.at(-1)];
  if (first === undefined || last === undefined) return false;
  return priorityOf(first) !== priorityOf(last);
}

export function priorityOf({ podClass }: Task): number {
  return podClass.sample.priority;
}

/**
 * Below zero where the first tasks leave fewer pods without a place than the second, by the most
 * important pods of which they do not leave equally many.
 */
export function compareLeft(first: readonly Task[], second: readonly Task[]): number {
  const [left, others] = [leftByPriority(first), leftByPriority(second)];
  if (left.size === 0 && others.size === 0) return 0;
  const priorities = [...new Set([...left.keys(), ...others.keys()])].sort((a, b) => b - a);
  for (const priority of priorities) {
    const difference = (left.get(priority) ?? 0) - (others.get(priority) ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function leftByPriority(tasks: readonly Task[]): ReadonlyMap<number, number> {
  const left = new Map<number, number>();
  for (const task of tasks) {
    const { length } = task.waiting;
    const priority = priorityOf(task);
    if (length > 0) left.set(priority, (left.get(priority) ?? 0) + length);
  }
  return left;
}

/** How many pods of the tasks have no place. */
export function leftOf(tasks: readonly Task[]): number {
  return tasks.reduce((sum, task) => sum + task.waiting.length, 0);
}
