/**
 * How nodes are filled: many pods at a time, and no node with too large a share of them; the same
 * by price alone; one pod after the other, each where it adds least to the price; or so that a
 * new node is opened only where no other can grow. Unevenly: pods that are to be spread go where
 * they cost least as far as their rules let them, not where fewest are.
 */
export type Way =
  | 'prudently'
  | 'boldly'
  | 'one by one'
  | 'in few nodes'
  | 'one by one, unevenly'
  | 'in few nodes, unevenly';

/** Whether a new node is opened only where no other can grow. */
export function isThrifty(way: Way): boolean {
  return way.startsWith('in few nodes');
}
