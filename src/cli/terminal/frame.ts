import { styleText } from 'node:util';
import type { Decision } from '../../core/explain/decision.ts';
import type { ClusterView, NodeView } from '../../server/view.ts';

/** Everything that one picture in the terminal is made of. */
export interface Scene {
  readonly elapsedMs: number;
  readonly chapter: string;
  readonly view: ClusterView | undefined;
  readonly decisions: readonly Decision[];
  readonly links: readonly string[];
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const mostDecisionRows = 10;
/** What even a small terminal keeps for the nodes: totals, three of them, and how many more. */
const leastViewRows = 6;

/** The picture as lines that fit the terminal. Names from the cluster are stripped of control characters. */
export function frameOf(scene: Scene, size: TerminalSize): readonly string[] {
  const width = Math.max(40, Math.min(size.columns - 1, 120));
  const head = [
    styleText(
      'bold',
      clip(`karpenter  ${(scene.elapsedMs / 1000).toFixed(0)}s  ${scene.chapter}`, width),
    ),
    ...scene.links.map((link) => styleText('dim', clip(link, width))),
    '',
  ];
  // One row is the cursor's, one stands between nodes and decisions.
  const spare = size.rows - head.length - leastViewRows - 2;
  const rows = Math.max(2, Math.min(mostDecisionRows, spare));
  const tail = ['', ...decisionLines(scene.decisions, { width, rows })];
  const room = Math.max(3, size.rows - 1 - head.length - tail.length - 3);
  return [
    ...head,
    ...(scene.view === undefined ? [] : viewLines(scene.view, { width, room })),
    ...tail,
  ];
}

function viewLines(
  view: ClusterView,
  { width, room }: { readonly width: number; readonly room: number },
): string[] {
  const { totals } = view;
  const all = totals.podsRunning + totals.podsPending;
  const bar = progressBar(all === 0 ? 1 : totals.podsRunning / all, 24);
  const money = `$${totals.usdPerHour.toFixed(4)}/h  $${totals.usdPerMonth.toFixed(0)}/month`;
  const lines = [
    clip(
      `pods  ${bar} ${totals.podsRunning} placed, ${totals.podsPending} pending   ${money}`,
      width,
    ),
    clip(`nodes ${totals.nodes}`, width),
  ];
  const shown = view.nodes.slice(0, room);
  lines.push(...shown.map((node) => clip(nodeLine(node), width)));
  if (view.nodes.length > shown.length)
    lines.push(`  … and ${view.nodes.length - shown.length} more`);
  return lines;
}

function nodeLine(node: NodeView): string {
  const state = node.isLeaving ? 'leaving' : node.stage === 'initialized' ? 'ready' : node.stage;
  const price = node.usdPerHour === undefined ? '' : `$${node.usdPerHour.toFixed(4)}/h`;
  const slots = progressBar(share(node.podSlots.requested, node.podSlots.allocatable), 10);
  const columns = [
    (node.poolName ?? 'system').padEnd(14),
    (node.instanceType ?? '?').padEnd(14),
    (node.zone ?? '').padEnd(11),
    (node.capacityType ?? '').padEnd(9),
    price.padStart(10),
    state.padEnd(10),
    `${slots} ${node.podSlots.requested}/${node.podSlots.allocatable} pods`,
  ];
  return `  ${columns.join(' ')}`;
}

function decisionLines(
  decisions: readonly Decision[],
  { width, rows }: { readonly width: number; readonly rows: number },
): string[] {
  const lines: string[] = [];
  for (const decision of decisions.toReversed()) {
    const next = wrap(`· ${decision.sentence}`, width);
    if (lines.length + next.length > rows) break;
    lines.unshift(...next);
  }
  while (lines.length < rows) lines.push('');
  return lines;
}

/** Breaks between words, indented below the mark; the reason stands at the end and must be seen. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(clip(line, width));
      line = ` ${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, clip(line, width)];
}

function progressBar(fraction: number, width: number): string {
  const filled = Math.round(Math.max(0, Math.min(1, fraction)) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function clip(text: string, width: number): string {
  const clean = text.replace(/\p{Cc}/gu, ' ');
  return clean.length <= width ? clean : `${clean.slice(0, width - 1)}…`;
}
