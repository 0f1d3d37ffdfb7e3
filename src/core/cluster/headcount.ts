import { finish } from '../steps.ts';
import { type CrowdKind, factsOf } from './node-facts.ts';
import type { Node } from './snapshot.ts';

/**
 * Who is on a list of nodes, as rows of numbers: each kind of pod has a number, and each node a
 * stretch of rows. Many rules ask, and most of them about few kinds.
 */
export class Headcount {
  readonly #nodes: readonly Node[];
  readonly #kinds: CrowdKind[] = [];
  /** By label, `key=value`, the numbers of the kinds that carry it. */
  readonly #byLabel = new Map<string, number[]>();
  /** Where the rows of each node begin, and in the end how many rows there are. */
  readonly #starts: Int32Array;
  readonly #kindOfRow: Int32Array;
  readonly #podsOfRow: Int32Array;

  private constructor(nodes: readonly Node[]) {
    this.#nodes = nodes;
    const rows = nodes.reduce((sum, node) => sum + factsOf(node).crowds.length, 0);
    this.#starts = new Int32Array(nodes.length + 1);
    this.#kindOfRow = new Int32Array(rows);
    this.#podsOfRow = new Int32Array(rows);
  }

  /** Counts in small steps of work, once per list of nodes; `of` then finds the answer. */
  static *counting(nodes: readonly Node[]): Generator<void, void> {
    if (known.has(nodes)) return;
    const headcount = new Headcount(nodes);
    yield* headcount.#count();
    known.set(nodes, headcount);
  }

  static of(nodes: readonly Node[]): Headcount {
    finish(Headcount.counting(nodes));
    return known.get(nodes) as Headcount;
  }

  *#count(): Generator<void, void> {
    const numbers = new Map<CrowdKind, number>();
    let row = 0;
    for (const [index, node] of this.#nodes.entries()) {
      for (const { kind, pods } of factsOf(node).crowds) {
        this.#kindOfRow[row] = numbers.get(kind) ?? this.#number(kind, numbers);
        this.#podsOfRow[row] = pods;
        row += 1;
      }
      this.#starts[index + 1] = row;
      if (index % nodesPerStep === nodesPerStep - 1) yield;
    }
  }

  /**
   * Calls back for each node, in order, that has pods which match, with their number. Where it is
   * known, `anchor` is a label (`key=value`) that all of them carry.
   */
  forEachNode({ anchor, matches }: CrowdQuestion, visit: (node: Node, pods: number) => void): void {
    const isMatch = this.#matching(anchor, matches);
    if (isMatch === undefined) return;
    const starts = this.#starts;
    let row = 0;
    for (const [index, node] of this.#nodes.entries()) {
      const end = starts[index + 1] ?? 0;
      let pods = 0;
      for (; row < end; row++)
        if (isMatch[this.#kindOfRow[row] ?? 0] === 1) pods += this.#podsOfRow[row] ?? 0;
      if (pods > 0) visit(node, pods);
    }
  }

  /** By the number of a kind, 1 for those that match; undefined where none does. */
  #matching(anchor: string | undefined, matches: CrowdQuestion['matches']): Uint8Array | undefined {
    const candidates = anchor === undefined ? this.#kinds.keys() : this.#byLabel.get(anchor);
    let isMatch: Uint8Array | undefined;
    for (const number of candidates ?? []) {
      const kind = this.#kinds[number];
      if (kind === undefined || !matches(kind)) continue;
      isMatch ??= new Uint8Array(this.#kinds.length);
      isMatch[number] = 1;
    }
    return isMatch;
  }

  #number(kind: CrowdKind, numbers: Map<CrowdKind, number>): number {
    const number = this.#kinds.push(kind) - 1;
    numbers.set(kind, number);
    for (const key in kind.labels) {
      const label = `${key}=${kind.labels[key]}`;
      const list = this.#byLabel.get(label);
      if (list === undefined) this.#byLabel.set(label, [number]);
      else list.push(number);
    }
    return number;
  }
}

export interface CrowdQuestion {
  readonly anchor?: string | undefined;
  readonly matches: (kind: CrowdKind) => boolean;
}

const nodesPerStep = 512;

const known = new WeakMap<readonly Node[], Headcount>();
