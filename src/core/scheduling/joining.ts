import type { LimitLedger } from './limits.ts';
import { type Count, exactLoad, type Load } from './load.ts';
import type { Purchase } from './market.ts';
import type { Packing, Run } from './packing.ts';

/** Machines that are considered for joining; the last bought are the emptiest. */
const mostJoined = 16;

/**
 * Joins machines as long as one machine for all of them is cheaper: first the last of them, as
 * many as possible at once, then any two. Buying one by one cannot see such bargains.
 */
export function joinMachines(runs: readonly Run[], packing: Packing): readonly Run[] {
  const { kept, late } = split(runs);
  while (joinTail(late, packing) || joinPair(late, packing));
  return [...kept, ...late.map((load) => ({ load, times: 1 }))];
}

/** The last machines one by one, and all before them as they are. */
function split(runs: readonly Run[]): { readonly kept: readonly Run[]; readonly late: Load[] } {
  const kept = [...runs];
  const late: Load[] = [];
  while (late.length < mostJoined) {
    const last = kept.pop();
    if (last === undefined) break;
    late.unshift(last.load);
    if (last.times > 1) kept.push({ ...last, times: last.times - 1 });
  }
  return { kept, late };
}

function joinTail(loads: Load[], packing: Packing): boolean {
  for (let from = 0; from < loads.length - 1; from++) {
    const together = cheaperTogether(loads.slice(from), packing);
    if (together === undefined) continue;
    loads.splice(from, loads.length - from, together);
    return true;
  }
  return false;
}

function joinPair(loads: Load[], packing: Packing): boolean {
  for (let a = 0; a < loads.length; a++) {
    for (let b = a + 1; b < loads.length; b++) {
      const pair = [loads[a], loads[b]].filter((load) => load !== undefined);
      const together = cheaperTogether(pair, packing);
      if (together === undefined) continue;
      loads.splice(b, 1);
      loads.splice(a, 1, together);
      return true;
    }
  }
  return false;
}

function cheaperTogether(loads: readonly Load[], packing: Packing): Load | undefined {
  const { market, demand, ledger } = packing;
  const most = loads.reduce((sum, load) => sum + load.purchase.priceUsdPerHour, 0);
  const counts = sumOf(loads);
  for (const load of loads) charge(ledger, load.purchase, -1);
  for (const purchase of market) {
    if (purchase.priceUsdPerHour >= most * (1 - 1e-9)) break;
    if (ledger.affordable(purchase.shape.pool, purchase.shape.type) < 1) continue;
    const together = exactLoad(purchase, demand.items, counts);
    if (together === undefined) continue;
    charge(ledger, purchase, 1);
    return together;
  }
  for (const load of loads) charge(ledger, load.purchase, 1);
  return undefined;
}

function charge(ledger: LimitLedger, { shape }: Purchase, times: number): void {
  ledger.charge(shape.pool, shape.type, times);
}

function sumOf(loads: readonly Load[]): readonly Count[] {
  const sum = new Map<number, number>();
  for (const { counts } of loads)
    for (const { item, pods } of counts) sum.set(item, (sum.get(item) ?? 0) + pods);
  return [...sum].map(([item, pods]) => ({ item, pods }));
}
