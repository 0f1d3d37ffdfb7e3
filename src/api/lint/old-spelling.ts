import { type Modernised, modernise } from '../legacy/modernise.ts';
import type { Value } from '../value.ts';
import { type Finding, finding } from './finding.ts';

/** What `karpenter convert` would change in the object, one finding for each change. */
export function oldSpellings(object: Value): readonly Finding[] {
  return modernise([object]).flat().flatMap(spellingsOf);
}

/** The same for an object that has been brought to v1 already. */
export function spellingsOf({ at, changes }: Modernised): readonly Finding[] {
  return changes
    .filter(({ edits }) => edits.length > 0)
    .map(({ at: path, what, why, question }) =>
      finding('KTS001', {
        path: [...at, ...path],
        sentence: `${what}: ${why}`,
        fix: question ?? 'run karpenter convert',
      }),
    );
}
