import type { Pod, Taint, Toleration } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Change } from '../../explain/reason.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { has, only, type ValueSet } from '../../requirements/value-set.ts';

/** The pod as it would be with the changes; those that concern a pool leave it as it is. */
export function changedPod(pod: Pod, changes: readonly Change[]): Pod {
  return changes.reduce(withPodChange, pod);
}

/** The pool as it would be with those of the changes that concern it. */
export function changedPool(pool: Pool, changes: readonly Change[]): Pool {
  return changes.reduce(withPoolChange, pool);
}

/** Whether it is the pool's owner rather than the pod's who has to act. */
export function isOfPool(change: Change): change is Change & { readonly pool: string } {
  return 'pool' in change;
}

function withPodChange(pod: Pod, change: Change): Pod {
  switch (change.kind) {
    case 'tolerate':
      return { ...pod, tolerations: [...pod.tolerations, ...change.taints.map(tolerationFor)] };
    case 'lower-request':
      return { ...pod, requests: { ...pod.requests, [change.resource]: change.to } };
    case 'drop-label-rule':
      return {
        ...pod,
        nodeAlternatives: pod.nodeAlternatives.map((wanted) => without(wanted, change.key)),
      };
    case 'raise-skew':
      return {
        ...pod,
        spread: (pod.spread ?? []).map((one) =>
          one.isHard && one.topologyKey === change.key
            ? { ...one, maxSkew: Math.max(one.maxSkew, change.to) }
            : one,
        ),
      };
    case 'drop-pod-rule':
      return withoutRule(pod, change);
    case 'drop-host-ports':
      return {
        ...pod,
        hostPorts: pod.hostPorts.filter(
          ({ port, protocol }) => !change.ports.includes(`${port}/${protocol}`),
        ),
      };
    case 'raise-limit':
    case 'allow-value':
    case 'define-label':
    case 'lower-min-values':
      return pod;
  }
}

function tolerationFor({ key, value, effect }: Taint): Toleration {
  return value === undefined || value === ''
    ? { key, operator: 'Exists', effect }
    : { key, operator: 'Equal', value, effect };
}

function withoutRule(pod: Pod, { rule, key }: Change & { readonly kind: 'drop-pod-rule' }): Pod {
  const isOther = ({ topologyKey }: { readonly topologyKey: string }): boolean =>
    topologyKey !== key;
  if (rule === 'spread')
    return { ...pod, spread: (pod.spread ?? []).filter((one) => !one.isHard || isOther(one)) };
  if (rule === 'affinity') return { ...pod, affinity: (pod.affinity ?? []).filter(isOther) };
  return { ...pod, antiAffinity: (pod.antiAffinity ?? []).filter(isOther) };
}

function withPoolChange(pool: Pool, change: Change): Pool {
  if (!isOfPool(change) || change.pool !== pool.name) return pool;
  switch (change.kind) {
    case 'raise-limit':
      return {
        ...pool,
        limits: {
          ...pool.limits,
          ...Object.fromEntries(change.limits.map(({ resource, to }) => [resource, to])),
        },
      };
    case 'allow-value':
    case 'define-label': {
      const before = pool.requirements.get(change.key);
      const set = before === undefined ? only([change.value]) : grown(before, change.value);
      return { ...pool, requirements: new Map([...pool.requirements, [change.key, set]]) };
    }
    case 'lower-min-values':
      return { ...pool, minValues: new Map([...(pool.minValues ?? []), [change.key, change.to]]) };
    default:
      return pool;
  }
}

/** The set with one more value; a bound that excludes it stays. */
function grown(set: ValueSet, value: string): ValueSet {
  if (has(set, value)) return set;
  if (set.kind === 'only') return { ...set, values: new Set([...set.values, value]) };
  return { ...set, values: new Set([...set.values].filter((other) => other !== value)) };
}

function without(wanted: Requirements, key: string): Requirements {
  return new Map([...wanted].filter(([other]) => other !== key));
}
