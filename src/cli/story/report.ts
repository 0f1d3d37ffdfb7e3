import type { Decision } from '../../core/explain/decision.ts';
import type { StoryOutcome } from './first-story.ts';

/** The result of a story, under the names that `--output json` promises. */
export interface StoryReport {
  readonly pods: { readonly running: number };
  readonly nodes: { readonly launched: number; readonly left: number };
  readonly claims: { readonly left: number };
  readonly instances: { readonly left: number };
  readonly launchTemplates: { readonly left: number };
  readonly cost: { readonly usd: number; readonly lines: readonly BillLine[] };
  readonly seconds: {
    readonly toFirstClaim: number;
    readonly toAllRunning: number;
    readonly total: number;
  };
  readonly decisions: Readonly<Record<string, number>>;
}

export interface BillLine {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly seconds: number;
  readonly usdPerHour: number;
  readonly usd: number;
}

export interface Chapter {
  readonly atMs: number;
  readonly sentence: string;
}

export function reportOf(parts: {
  readonly outcome: StoryOutcome;
  readonly bill: readonly BillLine[];
  readonly decisions: readonly Decision[];
}): StoryReport {
  const { outcome, bill, decisions } = parts;
  const counts: Record<string, number> = {};
  for (const { code } of decisions) counts[code] = (counts[code] ?? 0) + 1;
  return {
    pods: { running: outcome.podsRunning },
    nodes: { launched: outcome.nodesLaunched, left: outcome.left.nodes.length },
    claims: { left: outcome.left.claims.length },
    instances: { left: outcome.left.instances.length },
    launchTemplates: { left: outcome.left.launchTemplates.length },
    cost: {
      usd: round(
        bill.reduce((sum, line) => sum + line.usd, 0),
        6,
      ),
      lines: bill,
    },
    seconds: {
      toFirstClaim: round(outcome.toFirstClaimMs / 1000, 3),
      toAllRunning: round(outcome.toAllRunningMs / 1000, 3),
      total: round(outcome.totalMs / 1000, 3),
    },
    decisions: Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The report for people: what happened when, and what it cost. */
export function reportText(report: StoryReport, chapters: readonly Chapter[]): string {
  const startMs = chapters[0]?.atMs ?? 0;
  const timeline = chapters.map(
    ({ atMs, sentence }) => `  ${((atMs - startMs) / 1000).toFixed(1).padStart(6)}s  ${sentence}`,
  );
  const bill = report.cost.lines.map(
    (line) =>
      `  ${line.capacityType.padEnd(10)} ${line.instanceType.padEnd(14)} ${line.zone.padEnd(12)} ${line.seconds.toFixed(0).padStart(6)} s × $${line.usdPerHour.toFixed(4)}/h = $${line.usd.toFixed(6)}`,
  );
  return [
    'timeline',
    ...timeline,
    '',
    'bill (cloud time)',
    ...bill,
    `  total $${report.cost.usd.toFixed(6)} for ${report.pods.running} pods on ${report.nodes.launched} nodes`,
    '',
    `left behind: ${report.nodes.left} nodes, ${report.claims.left} claims, ${report.instances.left} instances, ${report.launchTemplates.left} launch templates`,
    '',
  ].join('\n');
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
