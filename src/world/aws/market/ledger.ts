import type { CloudTime } from '../cloud-time.ts';
import type { Offer, PurchaseOption } from './offer.ts';
import type { Prices } from './prices.ts';

/** Who asked for a machine: Karpenter tags its own with the node pool. */
export type Owner = 'karpenter' | 'account';

/** One stretch of one machine at one price. */
export interface BillLine {
  readonly instanceId: string;
  readonly owner: Owner;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: PurchaseOption;
  readonly usdPerHour: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Simulated seconds that are charged for. */
  readonly seconds: number;
  readonly usd: number;
}

export interface Bill {
  readonly totalUsd: number;
  readonly lines: readonly BillLine[];
}

interface Entry {
  readonly instanceId: string;
  readonly owner: Owner;
  readonly offer: Offer;
  readonly fromMs: number;
  toMs: number | undefined;
  wasReclaimed: boolean;
}

const minimumSeconds = 60;
const firstHourSeconds = 3600;

/**
 * What has run, when, for how much. AWS's rules for Linux: from running to shutting-down, by the
 * second, a minute at least, and nothing for a spot machine that AWS itself takes back within its
 * first hour.
 */
export class Ledger {
  readonly #time: CloudTime;
  readonly #prices: Prices;
  readonly #entries = new Map<string, Entry>();

  constructor(time: CloudTime, prices: Prices) {
    this.#time = time;
    this.#prices = prices;
  }

  open(instanceId: string, offer: Offer, owner: Owner): void {
    this.#entries.set(instanceId, {
      instanceId,
      owner,
      offer,
      fromMs: this.#time.nowMs(),
      toMs: undefined,
      wasReclaimed: false,
    });
  }

  /** Ends the charge. A machine that never ran has no entry and costs nothing. */
  close(instanceId: string, by: 'owner' | 'aws'): void {
    const entry = this.#entries.get(instanceId);
    if (entry === undefined || entry.toMs !== undefined) return;
    entry.toMs = this.#time.nowMs();
    entry.wasReclaimed = by === 'aws';
  }

  /** Everything up to that moment, in the order in which machines came up. */
  bill(nowMs: number): Bill {
    const lines = [...this.#entries.values()].flatMap((entry) => this.#linesOf(entry, nowMs));
    return { totalUsd: lines.reduce((total, line) => total + line.usd, 0), lines };
  }

  #linesOf(entry: Entry, nowMs: number): readonly BillLine[] {
    const toMs = Math.min(entry.toMs ?? nowMs, nowMs);
    if (toMs < entry.fromMs) return [];
    const ran = this.#time.secondsBetween(entry.fromMs, toMs);
    const isWaived = entry.wasReclaimed && ran < firstHourSeconds;
    // Rounded before it is rounded up, since 45 s can come out as 45.000000001.
    const charged = isWaived ? 0 : Math.max(minimumSeconds, Math.ceil(roundTo(ran, 1e6)));
    const periods = this.#prices.periods(entry.offer, entry.fromMs, toMs);
    let left = charged;
    return periods.map((period, index) => {
      const isLast = index === periods.length - 1;
      const length = this.#time.secondsBetween(period.fromMs, period.toMs);
      const seconds = isLast ? left : Math.min(left, length);
      left -= seconds;
      return {
        instanceId: entry.instanceId,
        owner: entry.owner,
        ...entry.offer,
        ...period,
        seconds,
        usd: (period.usdPerHour * seconds) / 3600,
      };
    });
  }
}

function roundTo(value: number, precision: number): number {
  return Math.round(value * precision) / precision;
}
