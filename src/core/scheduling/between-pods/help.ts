import type { Pod } from '../../cluster/pod.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { spreadRule, termRule } from './group.ts';

type Other = Pick<Pod, 'namespace' | 'labels'>;

/**
 * Tells which other pods could help this one to a place by where they are: those that its hard
 * spread evens out, and those that it must be with. All others only take room, or keep it away.
 */
export function canHelp(
  pod: Pod,
  { namespaces }: Pick<Snapshot, 'namespaces'>,
): (other: Other) => boolean {
  const rules = (pod.spread ?? [])
    .filter(({ isHard }) => isHard)
    .map((one) => spreadRule(pod, one));
  if (pod.affinity !== undefined)
    rules.push(termRule('affinity', pod.affinity, { key: '', isHard: true, namespaces }));
  return (other) => rules.some((rule) => rule.matches(other));
}
