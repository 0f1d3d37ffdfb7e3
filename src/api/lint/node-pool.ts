import type { Value } from '../value.ts';
import { poolBudgets } from './budget.ts';
import type { Finding } from './finding.ts';
import type { LintKnowledge } from './knowledge.ts';
import { oldSpellings } from './old-spelling.ts';
import { poolLimits } from './pool-limits.ts';
import { poolTypes } from './pool-types.ts';
import { strangeFields } from './strange-field.ts';

/** Everything that can be said of a v1 NodePool by itself. */
export function lintNodePool(pool: Value, knowledge: LintKnowledge = {}): readonly Finding[] {
  return [
    ...oldSpellings(pool),
    ...strangeFields(pool),
    ...poolLimits(pool, knowledge),
    ...poolTypes(pool, knowledge),
    ...poolBudgets(pool),
  ];
}
