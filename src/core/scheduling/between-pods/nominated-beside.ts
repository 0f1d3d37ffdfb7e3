import { selects } from '../../cluster/label-selector.ts';
import type { Pod } from '../../cluster/pod.ts';
import { labels } from '../../requirements/well-known.ts';

/**
 * Whether a pod that is nominated for a node may keep another one from it for which the same node
 * was planned. The kube-scheduler takes those of equal or higher priority that are nominated for a
 * node for pods that are there, and nobody who is nominated elsewhere: what makes a spread even is
 * missing, while all that makes it uneven counts. Pods alike then keep each other out for good.
 *
 * No other rule is at odds with itself so: a plan puts no more on a node than fits, nobody beside
 * those that it must avoid, no more on a host than its spread bears from zero, and company that is
 * merely nominated neither helps nor harms.
 */
export function mayKeepOut(nominated: Pod, other: Pod): boolean {
  if (nominated.priority < other.priority || nominated.namespace !== other.namespace) return false;
  return (other.spread ?? []).some(
    ({ isHard, topologyKey, selector }) =>
      isHard && topologyKey !== labels.hostname && selects(selector, nominated.labels),
  );
}
