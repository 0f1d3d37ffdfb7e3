import { perHour } from '../../core/explain/money.ts';
import type { NodeGroup } from '../../core/explain/node-groups.ts';
import { count, shortList } from '../../core/explain/words.ts';
import type { Ignored } from './manifests.ts';
import type { PlanReport, UnplacedGroup, Workload } from './report.ts';

/** The plan for people: what is bought, for whom, for how much, and who is left out. */
export function reportText(report: PlanReport): string {
  const { nodes, workloads, unplaced } = report;
  return [
    `Plan for ${report.region}, at the prices of the shipped catalogue`,
    ...section('new nodes', table(nodes.map(nodeRow))),
    ...section('pods', table(workloads.map(workloadRow))),
    '',
    totalOf(report),
    ...section('no place', unplaced.flatMap(unplacedLines)),
    ...section('to know', [...report.notes, ...ignoredLines(report.ignored)]),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function nodeRow(group: NodeGroup): readonly string[] {
  const { instanceTypes, usdPerHour, usdPerHourAtMost } = group;
  const choice =
    instanceTypes === 1
      ? 'no other type'
      : `${instanceTypes} types allowed, ${perHour(usdPerHour)} to ${perHour(usdPerHourAtMost)}`;
  return [
    `${group.count} × ${group.instanceType}`,
    group.capacityType,
    group.zones.join(', '),
    `${perHour(usdPerHour)}${group.count > 1 ? ' each' : ''}`,
    count(group.pods, 'pod'),
    `${group.nodePool}: ${choice}`,
  ];
}

function workloadRow(workload: Workload): readonly string[] {
  const { kind, name, pods, onNewNodes, onOtherNodes, newNodes } = workload;
  const parts: readonly (readonly [number, string])[] = [
    [onNewNodes, `on ${count(newNodes, 'new node')}`],
    [onOtherNodes, 'on system nodes'],
    [pods - onNewNodes - onOtherNodes, 'without a place'],
  ];
  const told = parts.filter(([some]) => some > 0);
  const places = told.map(([some, place]) => (told.length > 1 ? `${some} ${place}` : place));
  return [`${kind} ${name}`, count(pods, 'pod'), places.join(', ')];
}

function totalOf({ cost, nodes, workloads }: PlanReport): string {
  const bought = nodes.reduce((sum, group) => sum + group.count, 0);
  if (bought === 0)
    return workloads.length === 0
      ? 'Nothing in these manifests needs a place.'
      : 'Nothing is bought.';
  const month = `$${cost.usdPerMonth.toFixed(2)} a month of 730 h`;
  const most = `${perHour(cost.usdPerHourAtMost)} at most, whatever EC2 picks`;
  return `${count(bought, 'new node')}: ${perHour(cost.usdPerHour)}, ${month}; ${most}`;
}

function unplacedLines({ kind, name, pods, sentence, remedies }: UnplacedGroup): string[] {
  return [
    `${kind} ${name} (${count(pods, 'pod')}): ${sentence}`,
    ...remedies.map((remedy, index) => `  ${index === 0 ? 'It would help to' : 'or to'} ${remedy}`),
  ];
}

/** One line for each reason; `--output json` has every object. */
function ignoredLines(ignored: readonly Ignored[]): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const { object, reason } of ignored)
    reasons.set(reason, [...(reasons.get(reason) ?? []), object]);
  return [...reasons].map(
    ([reason, objects]) => `Ignored, as ${reason}: ${shortList(objects, 5)}.`,
  );
}

/** Columns of equal width, two spaces apart. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
