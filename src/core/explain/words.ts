import type { Pod, Taint } from '../cluster/pod.ts';
import type { Node } from '../cluster/snapshot.ts';
import { type RequirementTerm, termsOf } from '../requirements/requirements.ts';
import type { ValueSet } from '../requirements/value-set.ts';
import { perHour } from './money.ts';

/** `an on-demand`, `a spot`. */
export function article(word: string): string {
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}

/** `1 pod`, `29 pods`. */
export function count(amount: number, noun: string): string {
  return amount === 1 ? `1 ${noun}` : `${amount} ${noun}s`;
}

/** `default/nginx`: the workload that a pod belongs to, or the pod itself. */
export function workloadOf(pod: Pod): string {
  return `${pod.namespace}/${pod.owner?.name ?? pod.name}`;
}

/** `29 pods of default/nginx`, `31 pods of default/nginx, default/web and 2 more`. */
export function podsOf(pods: readonly Pod[]): string {
  const sizes = new Map<string, number>();
  for (const pod of pods) sizes.set(workloadOf(pod), (sizes.get(workloadOf(pod)) ?? 0) + 1);
  const names = [...sizes.keys()].sort(
    (a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || (a < b ? -1 : 1),
  );
  return `${count(pods.length, 'pod')} of ${shortList(names, 2)}`;
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function shortList(names: readonly string[], most: number): string {
  if (names.length > most)
    return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** `spot m5.large, us-east-1a, $0.0430/h`: what is known of a node's purchase. */
export function purchaseOf(node: Node): string {
  const machine = [node.capacityType, node.instanceType].filter(Boolean).join(' ');
  const price = node.priceUsdPerHour === undefined ? '' : perHour(node.priceUsdPerHour);
  return [machine, node.zone ?? '', price].filter((part) => part !== '').join(', ');
}

/** `dedicated=gpu:NoSchedule`. */
export function taintText(taint: Taint): string {
  const value = taint.value === undefined || taint.value === '' ? '' : `=${taint.value}`;
  return `${taint.key}${value}:${taint.effect}`;
}

/**
 * `1.8 cores`, `6 Gi`, `6903 Mi`, `29 pods`, `2`: an amount in the units that people use; in the
 * same one as another amount that is told beside it.
 */
export function amountWords(resource: string, amount: number, beside = amount): string {
  if (resource === 'cpu') return amount === 1000 ? '1 core' : `${amount / 1000} cores`;
  if (resource === 'pods' || resource === 'nodes') return count(amount, resource.slice(0, -1));
  return isBytes(resource) ? bytesText(amount, beside) : String(amount);
}

function isBytes(resource: string): boolean {
  return resource === 'memory' || resource.endsWith('storage') || resource.startsWith('hugepages-');
}

/** Exact where the amounts are round ones; the rest is rounded up to whole Mi. */
function bytesText(amount: number, beside: number): string {
  const isRound = [amount, beside].every((bytes) => Number.isInteger((bytes / 2 ** 30) * 10));
  if (isRound) return `${amount / 2 ** 30} Gi`;
  return `${Math.ceil(amount / 2 ** 20)} Mi`;
}

/** `In [spot]`, `NotIn [a, b]`, `Gte [3]`: a set as manifests of pools would say it. */
export function setText(key: string, set: ValueSet): string {
  return termsText(termsOf(new Map([[key, set]])));
}

/** The same as manifests of pods would say it, which know `Gt` and `Lt` alone. */
export function askedSetText(key: string, set: ValueSet): string {
  return termsText(termsOf(new Map([[key, set]])).map(asPodsWrite));
}

function asPodsWrite(term: RequirementTerm): RequirementTerm {
  const bound = Number(term.values?.[0]);
  if (term.operator === 'Gte') return { ...term, operator: 'Gt', values: [String(bound - 1)] };
  if (term.operator === 'Lte') return { ...term, operator: 'Lt', values: [String(bound + 1)] };
  return term;
}

function termsText(terms: readonly RequirementTerm[]): string {
  return terms
    .map(({ operator, values = [] }) =>
      values.length === 0 ? operator : `${operator} [${bracketed(values)}]`,
    )
    .join(' and ');
}

function bracketed(values: readonly string[]): string {
  const shown = values.slice(0, 4).join(', ');
  return values.length > 4 ? `${shown}, and ${values.length - 4} more` : shown;
}

/** `45 s`, `3 min`, `2 h`: a stretch of time, coarse enough to read. */
export function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
