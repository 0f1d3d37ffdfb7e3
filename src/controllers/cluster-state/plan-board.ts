import type { Refusal } from '../../core/explain/reason.ts';

/** What the last plan said about pods that found no place, for those who only look. */
export class PlanBoard {
  #refusals: ReadonlyMap<string, Refusal> = new Map();

  /** Replaces what was said before, by pod uid. */
  post(refusals: ReadonlyMap<string, Refusal>): void {
    this.#refusals = refusals;
  }

  /** Whether every pod had a place. */
  get isEmpty(): boolean {
    return this.#refusals.size === 0;
  }

  refusalOf(podUid: string): Refusal | undefined {
    return this.#refusals.get(podUid);
  }
}
