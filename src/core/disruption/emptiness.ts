import { isProtected, isReschedulable } from '../cluster/pod.ts';
import type { Node, Pool, Snapshot } from '../cluster/snapshot.ts';
import { perHour } from '../explain/money.ts';
import { count, podsOf, purchaseOf, timeText } from '../explain/words.ts';
import { byName } from '../text-order.ts';
import { allowedDisruptions, type BudgetQuestion, strictestBudget } from './budget.ts';
import type { Move, Stay, StayCode } from './move.ts';

/**
 * The nodes that run nothing but daemons and may go now, one move each and the dearest first,
 * and for every other node of a pool why it stays. Nodes already leaving are in neither list.
 */
export function emptyMoves(snapshot: Snapshot): {
  readonly moves: readonly Move[];
  readonly stays: readonly Stay[];
} {
  const moves: Move[] = [];
  const stays: Stay[] = [];
  for (const pool of [...snapshot.pools].sort(byName)) {
    const nodes = snapshot.nodes.filter((node) => node.poolName === pool.name && isOurs(node));
    const verdicts = nodes
      .filter((node) => !node.isLeaving)
      .map((node) => ({ node, stay: whyStay(node, pool, snapshot.atMs) }));
    stays.push(...verdicts.flatMap(({ stay }) => (stay === undefined ? [] : [stay])));
    const empty = verdicts.filter(({ stay }) => stay === undefined).map(({ node }) => node);
    const question = budgetQuestion(pool, nodes, snapshot.atMs);
    const allowed = allowedDisruptions(question);
    const ordered = empty.sort(dearestFirst);
    moves.push(...ordered.slice(0, allowed).map((node) => moveOf(node, snapshot.atMs)));
    stays.push(...ordered.slice(allowed).map((node) => overBudget(node, pool, question)));
  }
  return { moves: moves.sort(byFirstNode), stays: stays.sort((a, b) => byName(a.node, b.node)) };
}

function isOurs(node: Node): boolean {
  return node.claimName !== undefined;
}

function whyStay(node: Node, pool: Pool, nowMs: number): Stay | undefined {
  const obstacle = whyBusy(node, nowMs) ?? whyNotYet(node, pool, nowMs);
  if (obstacle === undefined) return undefined;
  const [code, why] = obstacle;
  return { node, code, sentence: `Node ${node.name} stays: ${why}.` };
}

type Obstacle = readonly [StayCode, string];

function whyBusy(node: Node, nowMs: number): Obstacle | undefined {
  if (node.stage !== 'initialized') return ['not-ready', 'it is still starting'];
  if (node.reservedFor.length > 0)
    return ['reserved', `it is kept for ${count(node.reservedFor.length, 'pod')} on the way`];
  if (node.doNotDisrupt) return ['do-not-disrupt', 'it is annotated do-not-disrupt'];
  const shield = node.pods.find((pod) => !pod.isTerminal && isProtected(pod, nowMs));
  if (shield !== undefined)
    return ['do-not-disrupt', `pod ${shield.namespace}/${shield.name} is do-not-disrupt`];
  const movable = node.pods.filter(isReschedulable);
  return movable.length > 0 ? ['has-pods', `it runs ${podsOf(movable)}`] : undefined;
}

function whyNotYet(node: Node, pool: Pool, nowMs: number): Obstacle | undefined {
  const { consolidateAfterMs } = pool.disruption;
  if (pool.isStatic === true)
    return ['never-consolidated', `NodePool ${pool.name} keeps a fixed number of nodes`];
  if (consolidateAfterMs === Infinity)
    return ['never-consolidated', `NodePool ${pool.name} has consolidateAfter Never`];
  // Where no beginning is known the idle time begins now; a window of zero asks for none.
  const idleMs = nowMs - (node.idleSinceMs ?? nowMs);
  if (idleMs >= consolidateAfterMs) return undefined;
  const idle = `it has been empty for ${timeText(idleMs)} of ${timeText(consolidateAfterMs)}`;
  return ['not-idle-long-enough', idle];
}

/** When the earliest node that is merely too young to go may go; undefined where there is none. */
export function nextEmptyAtMs(snapshot: Snapshot): number | undefined {
  const pools = new Map(snapshot.pools.map((pool) => [pool.name, pool]));
  const times = emptyMoves(snapshot)
    .stays.filter(({ code }) => code === 'not-idle-long-enough')
    .map(({ node }) => {
      const afterMs = pools.get(node.poolName ?? '')?.disruption.consolidateAfterMs ?? Infinity;
      return (node.idleSinceMs ?? snapshot.atMs) + afterMs;
    });
  return times.length > 0 ? Math.min(...times) : undefined;
}

function budgetQuestion(pool: Pool, nodes: readonly Node[], nowMs: number): BudgetQuestion {
  const counted = nodes.filter(
    (node) => node.stage === 'initialized' && node.isInstanceLeaving !== true,
  );
  return {
    budgets: pool.disruption.budgets,
    reason: 'Empty',
    nodeCount: counted.length,
    disruptedCount: counted.filter((node) => node.isLeaving || !node.isReady).length,
    nowMs,
  };
}

function moveOf(node: Node, nowMs: number): Move {
  const saving = node.priceUsdPerHour ?? 0;
  const idle = node.idleSinceMs === undefined ? '' : ` for ${timeText(nowMs - node.idleSinceMs)}`;
  const purchase = purchaseOf(node);
  const what = purchase === '' ? node.name : `${node.name} (${purchase})`;
  return {
    reason: 'Empty',
    nodes: [node],
    replacements: [],
    savingUsdPerHour: saving,
    sentence: `Node ${what} has run no pods but daemons${idle}: removing it saves ${perHour(saving)}.`,
  };
}

function overBudget(node: Node, pool: Pool, question: BudgetQuestion): Stay {
  const budget = strictestBudget(question);
  const words = budget === undefined ? '' : ` (budget nodes: "${budget.nodes}")`;
  return {
    node,
    code: 'budget-exhausted',
    sentence:
      `Node ${node.name} stays for now: NodePool ${pool.name} lets no more of its ` +
      `${count(question.nodeCount, 'node')} go at once${words}.`,
  };
}

function dearestFirst(a: Node, b: Node): number {
  return (b.priceUsdPerHour ?? 0) - (a.priceUsdPerHour ?? 0) || byName(a, b);
}

function byFirstNode(a: Move, b: Move): number {
  const [first] = a.nodes;
  const [second] = b.nodes;
  return first === undefined || second === undefined ? 0 : dearestFirst(first, second);
}
