import { parseAmount } from '../../core/quantity/quantity.ts';
import { isMap, mapAt, type Value, valueAt } from '../value.ts';
import { type Finding, finding } from './finding.ts';
import type { LintKnowledge } from './knowledge.ts';
import { termsOfPool, typesFor } from './requirement.ts';

const aws = 'karpenter.k8s.aws';

/** Limits under which not one machine fits, most often cores written as thousandths. */
export function poolLimits(pool: Value, knowledge: LintKnowledge): readonly Finding[] {
  const limits = valueAt(pool, ['spec', 'limits']);
  const isStatic = valueAt(pool, ['spec', 'replicas']) !== undefined;
  if (!isMap(limits) || Object.keys(limits).length === 0) return isStatic ? [] : [noLimits()];
  return ['cpu', 'memory'].flatMap((resource) => tooSmall(pool, resource, knowledge));
}

function noLimits(): Finding {
  return finding('KTS019', {
    path: ['spec'],
    sentence: 'the pool has no limits, so nothing but the account stops what it may cost',
    fix: 'set spec.limits.cpu to the most cores that all its nodes together may have',
  });
}

/** The smallest machine where no catalogue is known. */
const smallest: Readonly<Record<string, number>> = { cpu: 1_000, memory: 2 ** 29 };

function tooSmall(pool: Value, resource: string, knowledge: LintKnowledge): readonly Finding[] {
  const written = mapAt(pool, ['spec', 'limits'])[resource];
  if (typeof written !== 'string' && typeof written !== 'number') return [];
  const amount = parseAmount(resource, written);
  if (typeof amount !== 'number') return [];
  const needed = smallestOf(pool, resource, knowledge) ?? smallest[resource] ?? 0;
  // A pool limited to thousandths is a mistake even where one tiny machine would fit.
  const isThousandths = resource === 'cpu' && String(written).endsWith('m') && amount < 8_000;
  if (amount >= needed && !isThousandths) return [];
  const inWords = resource === 'cpu' ? coresText(amount) : `${amount} bytes`;
  const need = resource === 'cpu' ? coresText(needed) : `${Math.round(needed / 2 ** 20)}Mi`;
  return [
    finding('KTS003', {
      path: ['spec', 'limits', resource],
      sentence: `limits.${resource} ${written} is ${inWords} for all nodes together, and the smallest machine has ${need}`,
      fix: isThousandths
        ? `write ${Number.parseFloat(String(written))} for that many cores`
        : `write what all nodes of the pool together may have`,
    }),
  ];
}

/** The smallest machine that the pool may buy. */
function smallestOf(
  pool: Value,
  resource: string,
  { instanceTypes }: LintKnowledge,
): number | undefined {
  if (instanceTypes === undefined) return undefined;
  const key = resource === 'cpu' ? `${aws}/instance-cpu` : `${aws}/instance-memory`;
  const unit = resource === 'cpu' ? 1_000 : 2 ** 20;
  const amounts = typesFor(termsOfPool(pool), instanceTypes).flatMap(({ requirements }) => {
    const set = requirements.get(key);
    const [value] = set?.kind === 'only' ? set.values : [];
    return value === undefined ? [] : [Number(value) * unit];
  });
  return amounts.length === 0 ? undefined : Math.min(...amounts);
}

function coresText(millis: number): string {
  return millis === 1_000 ? '1 core' : `${millis / 1_000} cores`;
}
