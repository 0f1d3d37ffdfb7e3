import type { Pod } from '../../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../../src/core/cluster/snapshot.ts';
import { costUsdPerHour, perHour } from '../../../src/core/explain/money.ts';
import { count, podsOf, workloadOf } from '../../../src/core/explain/words.ts';
import type { NewNode, Plan, Unplaced } from '../../../src/core/scheduling/plan.ts';
import { solve } from '../../../src/core/scheduling/solve.ts';
import { compareText } from '../../../src/core/text-order.ts';
import type { Question } from '../../../src/server/question.ts';
import type { Answer, Ask, PlaceView, RefusedView, Reply } from './answer.ts';
import { applied } from './applied.ts';
import type { Change } from './change.ts';
import { withoutNode } from './node-gone.ts';
import { podView } from './node-view.ts';
import { newNodeViews, purchasesOf } from './purchases.ts';
import { readText } from './read-text.ts';

/** Asks the engine twice: what will be as things are, and what would be after the change. */
export function workOut(question: Question, ask: Ask): Reply {
  if (ask.kind === 'node') {
    const change = withoutNode(question, ask.name);
    if (change !== undefined) return { kind: 'answer', answer: answerTo(question, change) };
    return { kind: 'failed', sentence: `There is no node ${ask.name} any more.` };
  }
  const read = readText(ask.text);
  const { problems, written, others } = read;
  if (problems.length > 0) return { kind: 'problems', problems };
  if (written.length + others.length === 0)
    return { kind: 'problems', problems: [{ line: 1, sentence: 'There is nothing here.' }] };
  return { kind: 'answer', answer: answerTo(question, applied(question, read)) };
}

function answerTo(question: Question, change: Change): Answer {
  const { snapshot, pods, settings } = question;
  const anyway = pods.length === 0 ? nothing : solve(snapshot, pods, settings);
  const plan = solve(change.snapshot, [...change.waiting, ...change.comers], settings);
  const asked = new Set(change.comers.map(({ uid }) => uid));
  const before = costUsdPerHour(snapshot) + priceOf(anyway);
  const kept = costUsdPerHour(snapshot) - (change.gone?.priceUsdPerHour ?? 0);
  const bought = plan.newNodes.filter((node) => node.pods.some(({ uid }) => asked.has(uid)));
  return {
    atMs: snapshot.atMs,
    pods: change.comers.length,
    places: placesOf(plan, asked),
    purchases: purchasesOf(bought, asked),
    newNodes: newNodeViews(bought, asked, snapshot.atMs),
    refused: refusedOf(plan, asked),
    usdPerHour: { before, after: kept + priceOf(plan) },
    notes: [...change.notes, ...notesOf(anyway, plan, asked), ...unknownPrices(snapshot)],
  };
}

const nothing: Plan = { placements: [], newNodes: [], unplaced: [] };

function priceOf({ newNodes }: Plan): number {
  return sum(newNodes, ({ cheapest }) => cheapest.priceUsdPerHour);
}

function placesOf({ placements }: Plan, asked: ReadonlySet<string>): readonly PlaceView[] {
  const places = new Map<string, Pod[]>();
  for (const { pod, nodeName } of placements) {
    if (!asked.has(pod.uid)) continue;
    const pods = places.get(nodeName);
    if (pods === undefined) places.set(nodeName, [pod]);
    else pods.push(pod);
  }
  return [...places]
    .map(([nodeName, pods]) => ({ nodeName, pods: pods.map(podView) }))
    .sort((a, b) => b.pods.length - a.pods.length || compareText(a.nodeName, b.nodeName));
}

/** Pods that are refused for the same reason, told once; the larger groups first. */
function refusedOf({ unplaced }: Plan, asked: ReadonlySet<string>): readonly RefusedView[] {
  const groups = new Map<string, Unplaced[]>();
  for (const one of unplaced) {
    if (!asked.has(one.pod.uid)) continue;
    const group = groups.get(one.refusal.sentence);
    if (group === undefined) groups.set(one.refusal.sentence, [one]);
    else group.push(one);
  }
  return [...groups]
    .sort(([a, one], [b, other]) => other.length - one.length || compareText(a, b))
    .map(([sentence, group]) => refusedView(sentence, group));
}

function refusedView(sentence: string, group: readonly Unplaced[]): RefusedView {
  const { parts = [], nodes, remedies = [] } = group[0]?.refusal ?? {};
  return {
    count: group.length,
    names: [...new Set(group.map(({ pod }) => workloadOf(pod)))].sort(compareText),
    sentence,
    reason: { parts, nodes, remedies: remedies.map((remedy) => remedy.sentence) },
  };
}

/** What happens to pods that wait already. */
function notesOf(anyway: Plan, plan: Plan, asked: ReadonlySet<string>): readonly string[] {
  const placedBefore = new Set(
    [
      ...anyway.placements.map(({ pod }) => pod),
      ...anyway.newNodes.flatMap(({ pods }) => pods),
    ].map(({ uid }) => uid),
  );
  const losers = plan.unplaced
    .map(({ pod }) => pod)
    .filter(({ uid }) => !asked.has(uid) && placedBefore.has(uid));
  const { newNodes } = anyway;
  return [
    ...(newNodes.length > 0
      ? [
          `${count(newNodes.length, 'node')} for ${perHour(priceOf(anyway))} would be bought anyway, for ${podsOf(podsOn(newNodes))} that wait; both prices count them.`,
        ]
      : []),
    ...(losers.length > 0
      ? [`${podsOf(losers)} that wait already would no longer find a place.`]
      : []),
  ];
}

function podsOn(nodes: readonly NewNode[]): readonly Pod[] {
  return nodes.flatMap(({ pods }) => pods);
}

function unknownPrices({ nodes }: Snapshot): readonly string[] {
  const unknown = nodes.filter(({ priceUsdPerHour }) => priceUsdPerHour === undefined);
  if (unknown.length === 0) return [];
  return [`The price of ${count(unknown.length, 'node')} is not known, and counts as nothing.`];
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}
