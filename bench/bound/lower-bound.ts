import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../src/core/cluster/snapshot.ts';
import { cellsOf } from './cells.ts';
import { demandsOf } from './demands.ts';
import { programOf } from './program.ts';
import { loadSolver } from './solver.ts';
import { usefulCells } from './useful-cells.ts';

/**
 * What the pods must cost at least on new nodes, in dollars per hour: a linear program over
 * classes of equal pods and fractions of nodes. It knows requests, node selectors and affinity,
 * taints, bound volumes, daemons on every node, hard zone spread and pods that refuse their own
 * kind on a host. It leaves out all else (whole nodes, spread over hosts, affinity between pods,
 * limits, weights, minValues), each of which can only make a plan dearer.
 */
export async function lowerBound(snapshot: Snapshot, pods: readonly Pod[]): Promise<number> {
  if (pods.length === 0) return 0;
  const resources = [...new Set(pods.flatMap((pod) => Object.keys(pod.requests)))].sort();
  const demands = demandsOf(pods);
  const cells = usefulCells(cellsOf(snapshot, resources), demands, resources);
  const program = programOf({ demands, cells, resources });
  const solution = (await loadSolver()).solve(program, { output_flag: false });
  if (solution.Status !== 'Optimal')
    throw new Error(`the lower bound has no answer: ${solution.Status}`);
  return solution.ObjectiveValue;
}
