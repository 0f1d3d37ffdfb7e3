import type { Node, Snapshot } from '../../core/cluster/snapshot.ts';
import { emptyMoves, nextEmptyAtMs } from '../../core/disruption/emptiness.ts';
import type { Stay } from '../../core/disruption/move.ts';
import { disruptionRefused } from '../../core/explain/disruption.ts';
import type { Context } from '../context.ts';
import type { Method } from './method.ts';
import { Ripeness } from './ripeness.ts';

/** How long a node must have been found empty, look after look, before it is given up. */
const validationMs = 15_000;

/** What people should hear of: the others are the ordinary life of a node. */
const toldCodes: ReadonlySet<Stay['code']> = new Set([
  'do-not-disrupt',
  'never-consolidated',
  'budget-exhausted',
]);

/** Gives up nodes that run nothing but daemons, as the budgets of their pools allow. */
export function createEmptiness(context: Context): Method {
  const ripeness = new Ripeness(validationMs);
  const told = new Map<string, string>();
  return (snapshot) => {
    const nowMs = context.ports.clock.nowMs();
    const current: Snapshot = { ...snapshot, atMs: nowMs };
    const { moves, stays } = emptyMoves(current);
    const waiting = stays.filter(({ code }) => code === 'budget-exhausted');
    const empty = [...moves.flatMap(({ nodes }) => nodes), ...waiting.map(({ node }) => node)];
    ripeness.observe(empty.map(nameOf), nowMs);
    tellStays(context, told, stays);
    const dueAtMs = nextEmptyAtMs(current) ?? Infinity;
    return {
      moves: moves.filter(({ nodes }) => nodes.every((n) => ripeness.isRipe(nameOf(n), nowMs))),
      nextInMs: Math.max(1, Math.min(ripeness.nextInMs(nowMs) ?? Infinity, dueAtMs - nowMs)),
    };
  };
}

function nameOf(node: Node): string {
  return node.claimName ?? node.name;
}

/** Each reason once per node, until it is another. */
function tellStays(
  { ports, informers }: Context,
  told: Map<string, string>,
  stays: readonly Stay[],
): void {
  const current = stays.filter(({ code }) => toldCodes.has(code));
  const names = new Set(current.map(({ node }) => node.name));
  for (const name of [...told.keys()]) if (!names.has(name)) told.delete(name);
  for (const stay of current) {
    if (told.get(stay.node.name) === stay.code) continue;
    told.set(stay.node.name, stay.code);
    ports.decisions.record(disruptionRefused(stay));
    const about = informers.nodes.get(stay.node.name);
    if (about === undefined) continue;
    const message = stay.sentence;
    ports.events.publish({ about, type: 'Normal', reason: 'DisruptionBlocked', message });
  }
}
