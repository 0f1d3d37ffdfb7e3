import type { Decision } from '../../core/explain/decision.ts';
import type { ClusterView } from '../../server/view.ts';

/** Tells a person in a terminal what happens. All methods are cheap and never fail. */
export interface Narrator {
  /** A chapter of the story, or a step of the set-up. */
  tell(sentence: string): void;
  decide(decision: Decision): void;
  show(view: ClusterView): void;
  /** Leaves the terminal as a program should; nothing is told afterwards. */
  close(): void;
}

/** Says nothing: for `--output json`. */
export const silentNarrator: Narrator = { tell() {}, decide() {}, show() {}, close() {} };
