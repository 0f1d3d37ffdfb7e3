import { type Path, type Value, valueAt } from '../value.ts';
import { applyEdits, describeEdit, type Edit } from './edit.ts';

/** Why something changes, and what behaves differently from now on. */
export interface Story {
  readonly why: string;
  readonly now: string;
}

/** One change as a user reads it. Without edits it is only a remark. */
export interface Change extends Story {
  /** Where it begins, in the object. */
  readonly at: Path;
  readonly what: string;
  readonly edits: readonly Edit[];
  /** What only the user can know; it is written into the output as well. */
  readonly question?: string | undefined;
}

/** An object on its way to v1: its present value, and every change so far. */
export class Revision {
  #object: Value;
  readonly #changes: Change[] = [];

  constructor(object: Value) {
    this.#object = object;
  }

  at(...path: Path): Value | undefined {
    return valueAt(this.#object, path);
  }

  has(...path: Path): boolean {
    return this.at(...path) !== undefined;
  }

  get object(): Value {
    return this.#object;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Takes the edits, one after the other; their paths are those of the moment. */
  change(story: Story, ...edits: readonly Edit[]): void {
    const what: string[] = [];
    for (const edit of edits) {
      what.push(describeEdit(this.#object, edit));
      this.#object = applyEdits(this.#object, [edit]);
    }
    const [first] = edits;
    const at = first === undefined ? [] : beginOf(first);
    this.#changes.push({ ...story, at, what: what.join(', '), edits });
  }

  /** Asks the user about a place, which stays as it is. */
  ask(at: Path, question: string, story: Story): void {
    const edit: Edit = { kind: 'ask', at, question };
    const what = describeEdit(this.#object, edit);
    this.#changes.push({ ...story, at, what, edits: [edit], question });
  }

  /** Says something about a place and changes nothing. */
  remark(at: Path, what: string, story: Story): void {
    this.#changes.push({ ...story, at, what, edits: [] });
  }
}

function beginOf(edit: Edit): Path {
  return edit.kind === 'move' ? edit.from : edit.at;
}
