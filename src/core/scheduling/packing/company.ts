import type { Ties } from '../between-pods/topology.ts';
import { countOn, type OpenNode } from './open-node.ts';

/** Whether some of its pods must share a node with others of them, and so cannot be moved apart. */
export function isCompany({ guests }: OpenNode): boolean {
  return guests.some(({ demand }) => demand.ties.company.length > 0);
}

/** Whether everybody is on the node whom a pod with these ties must share it with. */
export function hasCompany(ties: Ties, node: OpenNode): boolean {
  return ties.company.every(({ group }) => countOn(node, group) > 0);
}

/** Whether nobody that such a pod must share a node with is anywhere, and it will do itself. */
export function isFirstOfItsKind(ties: Ties, nodes: readonly OpenNode[]): boolean {
  if (ties.company.length === 0) return false;
  return ties.company.every(
    ({ group, matches }) =>
      matches && !group.hasAny() && !nodes.some((node) => countOn(node, group) > 0),
  );
}

/**
 * Whether such a pod, as the first of its kind on a node that is there, would shut out others who
 * were the first of theirs on an open one.
 */
export function isPreceded({ company }: Ties, nodes: readonly OpenNode[]): boolean {
  return company.some(
    ({ group }) =>
      !group.hasAny() &&
      nodes.some(({ guests }) =>
        guests.some(({ demand }) => demand.ties.company.some((tie) => tie.group === group)),
      ),
  );
}
