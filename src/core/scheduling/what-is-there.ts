import type { Task } from './assigning/outlook.ts';
import type { Groundwork } from './groundwork.ts';
import { inTurn, priorityOf } from './rounds.ts';

/**
 * Pods go to nodes that are there as soon as the scheduler looks, and so before all for whom a
 * node must be bought, even where these matter more; rules between pods must know of it. Nodes on
 * order are not there: whoever matters more may still come before others to them. Where somebody
 * may yet come to use what is there by giving in, whoever matters no more waits for it.
 * `mayWait` lets those who would be the first of their kind be served last.
 */
export function* useWhatIsThere(
  { tasks, assigner }: Pick<Groundwork, 'tasks' | 'assigner'>,
  mayWait: boolean,
): Generator<void, void> {
  if (!assigner.hasPresent || !tasks.some(hasEyesForOthers)) return;
  const shouldWait = (task: Task): boolean => mayWait && assigner.wouldBeFirst(task);
  let least = -Infinity;
  for (const task of inTurn(tasks, shouldWait)) {
    const outlook = priorityOf(task) <= least ? undefined : assigner.lookAtPresent(task, 0);
    if (outlook === undefined) continue;
    while (task.waiting.length > 0 && assigner.placeOnExisting(task, outlook));
    assigner.passBy(task, outlook);
    const isLeft = task.waiting.length > 0 && task.rungs.length > 1;
    if (isLeft && assigner.couldUsePresent(task)) least = priorityOf(task);
    yield;
  }
}

/** Whether it must be evened out with other pods, or be with them. */
function hasEyesForOthers({ podClass }: Task): boolean {
  const { affinity, spread } = podClass.sample;
  return affinity !== undefined || spread?.some(({ isHard }) => isHard) === true;
}
