import { clusterNotation } from './notation/cluster.ts';
import { coreNotation } from './notation/core.ts';
import { podNotation } from './notation/pod.ts';
import { volumeNotation } from './notation/volume.ts';
import { workloadNotation } from './notation/workload.ts';
import { parseShapes } from './parse.ts';
import type { Shape } from './shape.ts';

/** Every type of the built-in kinds, by name. */
export const builtInShapes: ReadonlyMap<string, Shape> = parseShapes(
  [workloadNotation, podNotation, volumeNotation, coreNotation, clusterNotation]
    .map((notation) => notation.trim())
    .join('\n'),
);

/** A named type of the built-in kinds; asking for one that does not exist is a mistake of ours. */
export function builtInShape(name: string): Shape {
  const shape = builtInShapes.get(name);
  if (shape === undefined) throw new Error(`looking up the shape of ${name}: there is none`);
  return shape;
}
