import type { Stance, Task } from './assigning/outlook.ts';
import { isAllowed } from './between-pods/counting.ts';
import type { Groundwork } from './groundwork.ts';
import type { Good } from './market/stock.ts';
import { isFirstOfItsKind } from './packing/company.ts';
import { cheapestFor, type Trade } from './packing/open-node.ts';
import { inTurn } from './rounds.ts';

/**
 * Pods go to nodes that are there as soon as the scheduler looks, and so before all for whom a
 * node must be bought, even where these matter more; rules between pods must know of it. Nodes on
 * order are not there: whoever matters more may still come before others to them. Who would like
 * something better waits for it to be bought, unless nothing at all could be bought for it.
 * `mayWait` lets those who would be the first of their kind be served last.
 */
export function* useWhatIsThere(
  { tasks, assigner, trades }: Pick<Groundwork, 'tasks' | 'assigner' | 'trades'>,
  mayWait: boolean,
): Generator<void, void> {
  if (!assigner.hasPresent || !tasks.some(hasEyesForOthers)) return;
  const shouldWait = (task: Task): boolean => mayWait && assigner.wouldBeFirst(task);
  for (const task of inTurn(tasks, shouldWait)) {
    for (let rung = 0; rung < task.rungs.length && task.waiting.length > 0; rung++) {
      if (rung === 1 && canBuyFor(task, { assigner, trades })) break;
      assigner.usePresent(task, rung);
    }
    yield;
  }
}

/** Whether a node could be bought for the next pod, were it to give in as far as it can. */
function canBuyFor(
  task: Task,
  { assigner, trades }: Pick<Groundwork, 'assigner' | 'trades'>,
): boolean {
  const outlook = assigner.look(task, task.rungs.length - 1);
  if (outlook === undefined) return false;
  const { ties, options } = outlook;
  if (ties.company.length > 0 && !isFirstOfItsKind(ties, [])) return false;
  return options.some(
    ({ worth, stance }) =>
      worth.tier < Infinity &&
      isAllowed(stance.spots) &&
      trades.some((trade) => hasWithinLimits(trade, task, stance)),
  );
}

function hasWithinLimits(trade: Trade, { need, podClass }: Task, { wish }: Stance): boolean {
  const want = { wish: wish.id, total: need, ports: podClass.sample.hostPorts };
  const isAffordable = (good: Good): boolean => trade.isAffordable(good, undefined);
  return trade.markets.stocks.some(
    (stock) => cheapestFor({ ...want, stock }, trade, isAffordable) !== undefined,
  );
}

/** Whether it must be evened out with other pods, or be with them. */
function hasEyesForOthers({ podClass }: Task): boolean {
  const { affinity, spread } = podClass.sample;
  return affinity !== undefined || spread?.some(({ isHard }) => isHard) === true;
}
