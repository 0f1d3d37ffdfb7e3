import type { Clock } from '../../ports/clock.ts';
import type { ClusterView } from '../../server/view.ts';
import type { Narrator } from './narrator.ts';

/** One line per happening, for pipes and logs. */
export function createPlainNarrator(clock: Clock, write: (text: string) => void): Narrator {
  const startMs = clock.nowMs();
  let lastTotals = '';
  const line = (mark: string, text: string): void => {
    write(`${((clock.nowMs() - startMs) / 1000).toFixed(1).padStart(6)}s ${mark} ${text}\n`);
  };
  return {
    tell: (sentence) => line('##', sentence),
    decide: (decision) => line('--', decision.sentence),
    show: (view) => {
      const totals = totalsLine(view);
      if (totals === lastTotals) return;
      lastTotals = totals;
      line('  ', totals);
    },
    close() {},
  };
}

function totalsLine({ totals }: ClusterView): string {
  return `pods ${totals.podsRunning} placed, ${totals.podsPending} pending; nodes ${totals.nodes}; $${totals.usdPerHour.toFixed(4)}/h`;
}
