import type { Requirements } from '../../core/requirements/requirements.ts';
import { anyValue, intersect, type ValueSet } from '../../core/requirements/value-set.ts';
import { compareText } from '../../core/text-order.ts';
import { inlineText, isMap, listAt, mapAt, textAt, type Value, valueAt } from '../value.ts';
import { type Finding, finding } from './finding.ts';
import { requirementsOfPool } from './requirement.ts';

/** Pools that another pool leaves nothing to do. One finding for each pool in a shadow. */
export function lintShadows(pools: readonly Value[]): ReadonlyMap<Value, Finding> {
  const ordered = pools.filter(isDynamic).toSorted(inOrderOfUse);
  const found = new Map<Value, Finding>();
  for (const [index, pool] of ordered.entries()) {
    const first = ordered.slice(0, index).find((other) => shadows(other, pool));
    if (first !== undefined) found.set(pool, shadowFinding(first, pool));
  }
  return found;
}

/** Pools whose class is not among those known. */
export function lintReferences(
  pools: readonly Value[],
  classNames: ReadonlySet<string>,
): ReadonlyMap<Value, Finding> {
  const path = ['spec', 'template', 'spec', 'nodeClassRef', 'name'];
  const found = new Map<Value, Finding>();
  for (const pool of pools) {
    const name = textAt(pool, path);
    if (name === undefined || classNames.has(name)) continue;
    const sentence = `there is no EC2NodeClass ${name}: the pool never becomes ready`;
    const fix = `write one of ${[...classNames].sort(compareText).join(', ')}, or add the class`;
    found.set(pool, finding('KTS017', { path, sentence, fix }));
  }
  return found;
}

function isDynamic(pool: Value): boolean {
  return valueAt(pool, ['spec', 'replicas']) === undefined;
}

/** Heavier pools first, and among equals the later name. */
function inOrderOfUse(a: Value, b: Value): number {
  return weightOf(b) - weightOf(a) || compareText(nameOf(b), nameOf(a));
}

function weightOf(pool: Value): number {
  const weight = valueAt(pool, ['spec', 'weight']);
  return typeof weight === 'number' ? weight : 0;
}

function nameOf(pool: Value): string {
  return textAt(pool, ['metadata', 'name']) ?? '';
}

/** Whether every pod that the second could serve is served by the first, for as long as one wants. */
function shadows(first: Value, second: Value): boolean {
  const isEqual = weightOf(first) === weightOf(second);
  const hasLimits = Object.keys(mapAt(first, ['spec', 'limits'])).length > 0;
  // A heavier pool with limits and a lighter one behind it is a plan: the lighter takes what is over.
  if (hasLimits && !isEqual) return false;
  const [a, b] = [requirementsOfPool(first), requirementsOfPool(second)];
  const isSame = isWider(b, a) && hasTaintsOf(first, second);
  if (isEqual && !isSame && hasLimits) return false;
  return isWider(a, b) && hasTaintsOf(second, first) && sharesClass(first, second);
}

function sharesClass(a: Value, b: Value): boolean {
  const path = ['spec', 'template', 'spec', 'nodeClassRef', 'name'];
  return textAt(a, path) === textAt(b, path);
}

function isWider(wide: Requirements, narrow: Requirements): boolean {
  return [...new Set([...wide.keys(), ...narrow.keys()])].every((key) => {
    const [outer, inner] = [wide.get(key) ?? anyValue, narrow.get(key) ?? anyValue];
    // A label that only the narrow pool gives its nodes may be what pods select.
    if (!wide.has(key) && inner.kind === 'only' && !/karpenter|kubernetes\.io/.test(key))
      return false;
    return isSameSet(intersect(outer, inner), inner);
  });
}

function isSameSet(a: ValueSet, b: ValueSet): boolean {
  if (a.kind !== b.kind || a.values.size !== b.values.size) return false;
  if (![...a.values].every((value) => b.values.has(value))) return false;
  return a.kind === 'only' || b.kind === 'only' || (a.min === b.min && a.max === b.max);
}

/** Whether the first pool has every taint of the second, so that its pods go there as well. */
function hasTaintsOf(pool: Value, other: Value): boolean {
  const path = ['spec', 'template', 'spec', 'taints'];
  const own = new Set(listAt(pool, path).map(taintText));
  return listAt(other, path).every((taint) => own.has(taintText(taint)));
}

function taintText(taint: Value): string {
  const { key = null, value = null, effect = null } = isMap(taint) ? taint : {};
  return inlineText([key, value, effect]);
}

function shadowFinding(first: Value, second: Value): Finding {
  const isEqual = weightOf(first) === weightOf(second);
  const why = isEqual
    ? 'its name decides, as their weights are equal'
    : 'it is heavier and has no limits';
  return finding('KTS009', {
    path: ['spec', isEqual ? 'template' : 'weight'],
    sentence: `NodePool ${nameOf(first)} takes every pod that NodePool ${nameOf(second)} could: ${why}`,
    fix: 'give one of them other requirements or a taint, or the heavier one limits',
  });
}
