import type { LaunchGroup } from '../../../api/karpenter/launch-group.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { LaunchWish } from './purchase.ts';

/** Members that an earlier life has served already never come: nobody is waited for longer. */
const patienceMs = 1_000;

interface Round<T> {
  readonly come: Set<number>;
  readonly wish: LaunchWish;
  readonly work: Promise<T>;
  readonly start: () => void;
  cancel: () => void;
}

/**
 * Lets the claims of a group meet, so that `buy` is called once for all of them. Every member has
 * its group on record when it comes here; a purchase that starts before all have come would buy for
 * some that have not.
 */
export class Gathering<T> {
  readonly #clock: Clock;
  readonly #buy: (wish: LaunchWish) => Promise<T>;
  readonly #rounds = new Map<string, Round<T>>();

  constructor(clock: Clock, buy: (wish: LaunchWish) => Promise<T>) {
    this.#clock = clock;
    this.#buy = buy;
  }

  /** What the purchase of the group brought; one that is under way is joined. */
  join(group: LaunchGroup, wish: LaunchWish): Promise<T> {
    const round = this.#rounds.get(group.id) ?? this.#open(group, wish);
    round.come.add(group.index);
    round.cancel();
    if (round.come.size >= group.size) round.start();
    else round.cancel = this.#clock.schedule(patienceMs, round.start);
    return round.work;
  }

  #open(group: LaunchGroup, wish: LaunchWish): Round<T> {
    let start = (): void => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const work = started
      .then(() => this.#buy(wish))
      .finally(() => {
        this.#rounds.get(group.id)?.cancel();
        this.#rounds.delete(group.id);
      });
    const round = { come: new Set<number>(), wish, work, start, cancel: () => {} };
    this.#rounds.set(group.id, round);
    return round;
  }
}
