import type { Refusal } from '../../core/explain/reason.ts';
import type { Unplaced } from '../../core/scheduling/plan.ts';

/** What the last plan said about pods that found no place, for those who only look. */
export class PlanBoard {
  #unplaced: readonly Unplaced[] = [];
  #refusals: ReadonlyMap<string, Refusal> = new Map();

  /** Replaces what was said before. */
  post(unplaced: readonly Unplaced[]): void {
    this.#unplaced = unplaced;
    this.#refusals = new Map(unplaced.map(({ pod, refusal }) => [pod.uid, refusal]));
  }

  /** Whether this very list is what was said last. */
  shows(unplaced: readonly Unplaced[]): boolean {
    return this.#unplaced === unplaced;
  }

  /** Whether every pod had a place. */
  get isEmpty(): boolean {
    return this.#refusals.size === 0;
  }

  refusalOf(podUid: string): Refusal | undefined {
    return this.#refusals.get(podUid);
  }
}
