import type { Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Constraint, FunnelStep } from '../../explain/reason.ts';
import { labelWord } from '../../explain/remedy-text.ts';
import { amountWords, askedSetText, setText, shortList, taintText } from '../../explain/words.ts';
import { anyValue, isImpossible, overlaps, type ValueSet } from '../../requirements/value-set.ts';
import { isNameOfNode, isWellKnownLabel, labels } from '../../requirements/well-known.ts';
import type { Trial } from './near-miss.ts';
import type { Why } from './refusal.ts';
import type { Look } from './refusal-inquiry.ts';
import type { Obstacle } from './refusal-obstacle.ts';

/** Which of the steps from all types to an affordable one left none over. */
export function whyNoType(pod: Pod, look: Look): Why {
  const { trials, missing, pool } = look;
  if (pool.instanceTypes.length === 0)
    return { code: 'no-capacity-offered', text: 'the cloud offers no instance type for it' };
  if (trials.last !== undefined) return tellers[trials.last.constraint](pod, look, trials.last);
  if (missing.length === 0)
    return {
      code: 'planned-again',
      text: 'one of its nodes would hold the pod: it is planned again',
    };
  const asked = missing.map(({ key, asked: least }) => `${key} ${least}`);
  if (look.isMissingByLimits)
    return {
      code: 'limit-reached',
      text:
        'the types that hold the pod within its limits do not have as many values as minValues ' +
        `asks (${shortList(asked, 3)})`,
    };
  return {
    code: 'min-values',
    text: `the types that hold the pod do not have as many values as minValues asks (${shortList(asked, 3)})`,
  };
}

const undefinedLabel =
  "a label that the pool does not define: add it to the pool's requirements or labels";

/** Whether nodes of the pool have the label, be it from the pool, from their type or by themselves. */
function isOnNodesOf({ requirements, instanceTypes }: Pool, key: string): boolean {
  if (requirements.has(key) || isWellKnownLabel(key) || isNameOfNode(key)) return true;
  return instanceTypes.some((type) => type.requirements.has(key));
}

type Teller = (pod: Pod, look: Look, last: FunnelStep) => Why;

const tellers: Readonly<Record<Constraint, Teller>> = {
  'pool-requirements': whyPool,
  'node-labels': whyLabels,
  taints: (_pod, look) => ({
    code: 'taint-not-tolerated',
    text: `the pod does not tolerate its taint ${shortList(
      (inTheWay(look, 'taints')?.taints ?? look.pool.taints).map(taintText),
      3,
    )}`,
  }),
  volumes: (_pod, _look, { key = '' }) => ({
    code: 'volume-elsewhere',
    text: `the pod's volumes can be reached from no ${labelWord(key)} of its nodes`,
  }),
  spread: (_pod, { pool }, { key = '' }) => ({
    code: 'spread-not-kept',
    text: isOnNodesOf(pool, key)
      ? `every ${labelWord(key)} of its nodes would exceed maxSkew of the pod's spread`
      : `the pod is to be spread over ${key}, ${undefinedLabel}`,
  }),
  affinity: (_pod, { pool }, { key = '' }) => ({
    code: 'affinity-not-met',
    text: isOnNodesOf(pool, key)
      ? `no pod that it must be with is in reach of its nodes (${labelWord(key)})`
      : `the pod must be with others in one ${key}, ${undefinedLabel}`,
  }),
  'anti-affinity': (_pod, _look, { key = '' }) => ({
    code: 'kept-apart',
    text: `pods that it must be apart from are in every ${labelWord(key)} of its nodes`,
  }),
  size: whyTooLarge,
  'host-ports': () => ({
    code: 'host-port-taken',
    text: 'a daemon of its nodes uses the host port',
  }),
  attachments: () => ({ code: 'no-single-reason', text: 'too many volumes are attached' }),
  capacity: whyNoOffer,
  limits: whyLimit,
  'min-values': () => ({ code: 'min-values', text: 'too few kinds of types hold the pod' }),
};

function whyPool(_pod: Pod, { pool }: Look, { key = '', removed }: FunnelStep): Why {
  const set = pool.requirements.get(key) ?? anyValue;
  const text = isImpossible(set)
    ? `its own requirements on ${key} leave no value that a node could have: widen one of them`
    : `none of its instance types (${removed}) meets its own requirement ${key} ${setText(key, set)}`;
  return { code: 'labels-do-not-match', text };
}

/** The closest obstacle of the kind. */
function inTheWay({ trials }: Look, constraint: Constraint): Obstacle | undefined {
  for (const { obstacles } of trials.close)
    for (const obstacle of obstacles) if (obstacle.constraint === constraint) return obstacle;
  return undefined;
}

function whyLabels(pod: Pod, { pool }: Look, { key = '', removed }: FunnelStep): Why {
  const set = wantedOf(pod, key) ?? anyValue;
  const offered = pool.requirements.get(key);
  const asked = askedSetText(key, set);
  const wish = `the pod wants ${key} ${asked}`;
  const isDefined = pool.instanceTypes.some((type) => type.requirements.has(key));
  const text = isNameOfNode(key)
    ? `${wish}, which no new node can be`
    : offered === undefined && !isDefined
      ? `${wish}, ${undefinedLabel}`
      : offered !== undefined && !overlaps(offered, set)
        ? `${wish}, the pool allows ${setText(key, offered)}`
        : `none of its instance types (${removed}) meets ${key} ${asked}`;
  return { code: 'labels-do-not-match', text };
}

function wantedOf(pod: Pod, key: string): ValueSet | undefined {
  return pod.nodeAlternatives.map((wanted) => wanted.get(key)).find((set) => set !== undefined);
}

/** Measured against the type that is short by the least. */
function whyTooLarge(pod: Pod, { trials }: Look, { key: last = '' }: FunnelStep): Why {
  const isOfSize = ({ obstacles }: Trial): boolean =>
    obstacles.some(({ constraint }) => constraint === 'size');
  const nearest = trials.close.find(isOfSize);
  const sizes = (nearest?.obstacles ?? []).filter(({ constraint }) => constraint === 'size');
  return { code: 'too-large', text: tooLargeText(pod, sizes, { last, nearest }) };
}

function tooLargeText(
  pod: Pod,
  sizes: readonly Obstacle[],
  { last, nearest }: { readonly last: string; readonly nearest: Trial | undefined },
): string {
  const [only, ...others] = sizes;
  const asks = (key: string): string => askText(key, pod.requests[key] ?? 0);
  if (only === undefined) return `no type in question holds ${asks(last)} for the pod`;
  if (others.length > 0) {
    const names = sizes.map(({ key }) => key).sort();
    const own = sizes.flatMap(({ key, isOthers }) => (isOthers === true ? [] : [key])).sort();
    const company = own.length < names.length ? ' for its daemons and the pod' : '';
    const asked = own.length === 0 ? '' : `; the pod asks for ${shortList(own.map(asks), 3)}`;
    return `no type has enough ${shortList(names, 3)} at once${company}${asked}`;
  }
  const name = nearest?.type?.name ?? '';
  if (only.key === 'pods')
    return `no type in question, ${name} included, has a place for one more pod`;
  const { asked = 0 } = only;
  const has = amountWords(only.key, only.has ?? 0, asked);
  if (only.isOthers === true)
    return (
      `the daemons of its nodes alone ask for ${askText(only.key, asked, only.has)}; ` +
      `its largest type in question, ${name}, has ${has}`
    );
  return (
    `the pod asks for ${askText(only.key, asked, only.has)}; its largest type in question, ` +
    `${name}, leaves ${has} to pods`
  );
}

/** `1.9 cores`, `6 Gi of memory`, `2 of nvidia.com/gpu`. */
function askText(resource: string, amount: number, beside = amount): string {
  const words = amountWords(resource, amount, beside);
  if (resource === 'pods') return 'a place for one more pod';
  return resource === 'cpu' ? words : `${words} of ${resource}`;
}

function whyNoOffer(pod: Pod, { pool }: Look, { removed }: FunnelStep): Why {
  const limits = [labels.capacityType, labels.zone].flatMap((key) => {
    const set = wantedOf(pod, key) ?? pool.requirements.get(key);
    return set === undefined ? [] : [`${labelWord(key)} ${setText(key, set)}`];
  });
  const where = limits.length > 0 ? ` with ${limits.join(' and ')}` : '';
  return {
    code: 'no-capacity-offered',
    text:
      `the cloud has none of the instance types (${removed}) that would hold the pod` +
      `${where} just now; trying again as capacity comes back`,
  };
}

function whyLimit(pod: Pod, look: Look): Why {
  const [first, ...others] = inTheWay(look, 'limits')?.limits ?? [];
  if (first === undefined || others.length > 0) {
    const names = [first, ...others].flatMap((one) => (one === undefined ? [] : [one.resource]));
    return {
      code: 'limit-reached',
      text: `no instance type fits what is left of its limits (${shortList(names, 4)}) at once`,
    };
  }
  const { resource, limit, used, adds } = first;
  const bare = (amount: number): string =>
    resource === 'cpu'
      ? String(amount / 1000)
      : amountWords(resource, amount).replace(/ \w+s?$/, suffix);
  const asked = pod.requests[resource] ?? 0;
  const ask = asked === 0 ? '' : `; the pod asks for ${askText(resource, asked)}`;
  const unit = resource === 'cpu' && limit < adds ? ' (cpu 1000m means one core)' : '';
  return {
    code: 'limit-reached',
    text:
      `limit ${resource} ${bare(limit)} is used up to ${bare(used)}${ask} and the smallest node ` +
      `for it adds ${bare(adds)}: raise spec.limits.${resource}${unit}`,
  };
}

/** Byte units stay; the words `node` and `pod` would be said twice. */
function suffix(unit: string): string {
  return unit.endsWith('i') ? unit : '';
}
