import { admits, type Cell } from './cells.ts';
import { type Demand, type Demands, textOf } from './demands.ts';

/** A cell and which demands it takes: those that may be there and fit on it alone. */
export interface UsefulCell extends Cell {
  /** By index of the demand. */
  readonly takes: readonly boolean[];
}

/**
 * The cells that a cheapest answer may need. One is left out when another of the same zone takes
 * at least the same demands and gives more of every resource for a dollar: fractions of nodes
 * make the size of a node irrelevant.
 */
export function usefulCells(
  cells: readonly Cell[],
  { demands, spreads, solitary }: Demands,
  resources: readonly string[],
): readonly UsefulCell[] {
  const takesOf = taking(demands, resources);
  const groups = new Map<string, UsefulCell[]>();
  for (const cell of cells) {
    const { isAdmitted, takes } = takesOf(cell);
    if (!takes.includes(true)) continue;
    // Zones matter only where something is spread over them.
    const zone = spreads.length > 0 ? cell.offering.zone : '';
    const key = `${zone} ${isAdmitted.map(Number).join('')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ ...cell, takes }]);
    else group.push({ ...cell, takes });
  }
  // A pod that needs a node of its own counts nodes, of which a dollar must buy no fewer either.
  const worth = (cell: UsefulCell): readonly number[] => [
    ...cell.free.map((n) => n / cell.offering.priceUsdPerHour),
    ...(solitary.length > 0 ? [1 / cell.offering.priceUsdPerHour] : []),
  ];
  return [...groups.values()].flatMap((group) => pareto(group, worth));
}

/** Which demands a cell takes, and which kinds of them it would take if it were large enough. */
export function taking(
  demands: readonly Demand[],
  resources: readonly string[],
): (cell: Cell) => { readonly takes: readonly boolean[]; readonly isAdmitted: readonly boolean[] } {
  const sizes = demands.map(({ sample }) => resources.map((name) => sample.requests[name] ?? 0));
  const kinds = kindsOf(demands.map(({ sample }) => sample));
  return (cell) => {
    const isAdmitted = kinds.samples.map((sample) => admits(cell, sample));
    const takes = sizes.map(
      (size, d) =>
        isAdmitted[kinds.of[d] ?? 0] === true && size.every((n, r) => n <= (cell.free[r] ?? 0)),
    );
    return { isAdmitted, takes };
  };
}

/** Demands that ask the same of labels, taints and volumes. */
function kindsOf(samples: readonly Parameters<typeof admits>[1][]): {
  readonly samples: readonly Parameters<typeof admits>[1][];
  readonly of: readonly number[];
} {
  const known = new Map<string, number>();
  const firsts: Parameters<typeof admits>[1][] = [];
  const of = samples.map((pod) => {
    const text = textOf([pod.nodeAlternatives, pod.tolerations, pod.volumes?.alternatives]);
    const index = known.get(text) ?? firsts.push(pod) - 1;
    known.set(text, index);
    return index;
  });
  return { samples: firsts, of };
}

function pareto(
  group: readonly UsefulCell[],
  worth: (cell: UsefulCell) => readonly number[],
): readonly UsefulCell[] {
  const kept: { readonly cell: UsefulCell; readonly worth: readonly number[] }[] = [];
  const candidates = group
    .map((cell) => ({ cell, worth: worth(cell) }))
    .sort((a, b) => total(b.worth) - total(a.worth));
  for (const candidate of candidates) {
    const isBeaten = kept.some(
      (better) =>
        better.worth.every((n, i) => n >= (candidate.worth[i] ?? 0)) &&
        candidate.cell.takes.every((takes, d) => !takes || better.cell.takes[d] === true),
    );
    if (!isBeaten) kept.push(candidate);
  }
  return kept.map(({ cell }) => cell);
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, n) => sum + n, 0);
}
