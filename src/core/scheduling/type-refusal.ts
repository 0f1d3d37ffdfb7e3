import type { InstanceType } from '../catalog/instance-type.ts';
import { daemonsOfPool } from '../cluster/daemons.ts';
import { type Pod, portsClash } from '../cluster/pod.ts';
import type { Pool } from '../cluster/snapshot.ts';
import { amountText, setText, shortList } from '../explain/words.ts';
import { formatAmount } from '../quantity/quantity.ts';
import { add, firstShortage, noResources, subtract } from '../quantity/resources.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { anyValue } from '../requirements/value-set.ts';
import { labels } from '../requirements/well-known.ts';
import { byName } from '../text-order.ts';
import { firstUnmetByType, isPossible } from './admission.ts';
import { chargeOf } from './limits.ts';
import type { RefusalContext, Why } from './refusal.ts';

interface Question extends RefusalContext {
  readonly pod: Pod;
  readonly pool: Pool;
  /** Pool and pod together; never empty. */
  readonly alternatives: readonly Requirements[];
}

/** Which of the steps from all types to an affordable one left none over. */
export function whyNoType(question: Question): Why {
  const { pool, pod, alternatives } = question;
  const isMet = (type: InstanceType): boolean =>
    alternatives.some((wanted) => firstUnmetByType(pool, type, wanted) === undefined);
  if (pool.instanceTypes.length === 0)
    return { code: 'no-capacity-offered', text: 'the cloud offers no instance type for it' };
  const matching = pool.instanceTypes.filter(isMet).sort(byName);
  if (matching.length === 0) return whyLabelsOfTypes(question);
  const daemonsOf = daemonsOfPool(pool, question.snapshot.daemons);
  const fitting = matching.filter((type) => shortageOn(type, pod, daemonsOf) === undefined);
  if (fitting.length === 0) return whyTooLarge(question, matching);
  const portFree = fitting.filter(
    (type) =>
      !portsClash(
        pod.hostPorts,
        daemonsOf(type).flatMap((daemon) => daemon.hostPorts),
      ),
  );
  if (portFree.length === 0)
    return { code: 'host-port-taken', text: 'a daemon of its nodes uses the host port' };
  const offered = portFree.filter((type) =>
    alternatives.some((wanted) => isPossible(pool, type, wanted)),
  );
  if (offered.length === 0) return whyNoOffer(question, fitting);
  return whyLimit(question, offered) ?? whyMinValues(pool);
}

/** Names the label that rules out the most types. */
function whyLabelsOfTypes({ pool, alternatives }: Question): Why {
  const [wanted = new Map()] = alternatives;
  const misses = new Map<string, number>();
  for (const type of pool.instanceTypes) {
    const key = firstUnmetByType(pool, type, wanted) ?? '';
    misses.set(key, (misses.get(key) ?? 0) + 1);
  }
  const [key = ''] = [...misses.keys()].sort(
    (a, b) => (misses.get(b) ?? 0) - (misses.get(a) ?? 0) || (a < b ? -1 : 1),
  );
  return {
    code: 'labels-do-not-match',
    text:
      `none of its instance types (${pool.instanceTypes.length}) meets ` +
      `${key} ${setText(key, wanted.get(key) ?? anyValue)}`,
  };
}

function shortageOn(
  type: InstanceType,
  pod: Pod,
  daemonsOf: (type: InstanceType) => readonly Pod[],
): string | undefined {
  const daemons = daemonsOf(type)
    .map((daemon) => daemon.requests)
    .reduce(add, noResources);
  return firstShortage(pod.requests, subtract(type.allocatable, daemons));
}

/** Measured against the type that has the most of what is short. */
function whyTooLarge({ pod, pool, snapshot }: Question, types: readonly InstanceType[]): Why {
  const daemonsOf = daemonsOfPool(pool, snapshot.daemons);
  const freeOf = (type: InstanceType, name: string): number => {
    const daemons = daemonsOf(type)
      .map((daemon) => daemon.requests)
      .reduce(add, noResources);
    return (type.allocatable[name] ?? 0) - (daemons[name] ?? 0);
  };
  const shortages = new Set(types.map((type) => shortageOn(type, pod, daemonsOf) ?? ''));
  const isHopeless = (name: string): boolean =>
    types.every((type) => freeOf(type, name) < (pod.requests[name] ?? 0));
  const names = [...shortages].sort();
  const resource = names.find(isHopeless) ?? names[0] ?? '';
  const largest = types.reduce((best, type) =>
    freeOf(type, resource) > freeOf(best, resource) ? type : best,
  );
  const most = Math.max(0, freeOf(largest, resource));
  const asked = amountText(resource, pod.requests[resource] ?? 0);
  const text = isHopeless(resource)
    ? `the pod asks for ${asked}; its largest type in question, ${largest.name}, ` +
      `leaves ${formatAmount(resource, most)} to pods`
    : `no type has enough of ${shortList(names, 3)} at once; the pod asks for ${asked}`;
  return { code: 'too-large', text };
}

function whyNoOffer({ alternatives }: Question, types: readonly InstanceType[]): Why {
  const [wanted = new Map()] = alternatives;
  const limits = [labels.capacityType, labels.zone]
    .filter((key) => wanted.has(key))
    .map((key) => `${key} ${setText(key, wanted.get(key) ?? anyValue)}`);
  const where = limits.length > 0 ? ` with ${limits.join(' and ')}` : '';
  return {
    code: 'no-capacity-offered',
    text:
      `the cloud has none of the instance types (${types.length}) that would hold the pod` +
      `${where} just now; trying again as capacity comes back`,
  };
}

function whyLimit(
  { pool, pod, ledger }: Question,
  types: readonly InstanceType[],
): Why | undefined {
  if (types.some((type) => ledger.affordableTypes(pool, type) >= 1)) return undefined;
  for (const { resource, limit, used } of ledger.uses(pool)) {
    const least = Math.min(...types.map((type) => chargeOf(type, resource)));
    if (used + least <= limit) continue;
    const show = (amount: number): string => formatAmount(resource, amount);
    const asked = pod.requests[resource];
    const ask = asked === undefined ? '' : `; the pod asks for ${show(asked)}`;
    const unit = resource === 'cpu' && limit < least ? ' (cpu 1000m means one core)' : '';
    return {
      code: 'limit-reached',
      text:
        `limit ${resource} ${show(limit)} is used up to ${show(used)}${ask} and the smallest node ` +
        `for it adds ${show(least)}: raise spec.limits.${resource}${unit}`,
    };
  }
  const names = ledger.uses(pool).map(({ resource }) => resource);
  return {
    code: 'limit-reached',
    text: `no instance type fits what is left of its limits (${shortList(names, 4)}) at once`,
  };
}

function whyMinValues(pool: Pool): Why {
  const asked = [...(pool.minValues ?? [])].map(([key, least]) => `${key} ${least}`);
  if (asked.length === 0)
    return { code: 'no-single-reason', text: 'no order could be made for the pod' };
  return {
    code: 'min-values',
    text: `the types that hold the pod do not have as many values as minValues asks (${shortList(asked, 3)})`,
  };
}
