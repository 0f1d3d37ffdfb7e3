import type { PodTerm } from '../cluster/pod.ts';
import type { PodClass } from '../cluster/pod-class.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import { type GroupRule, termRule } from './between-pods/group.ts';

/**
 * Whether some pods matter more than others, and some must be with others of their kind that matter
 * no more than they. In small steps.
 */
export function* isTorn(
  classes: readonly PodClass[],
  snapshot: Snapshot,
): Generator<void, boolean> {
  // Those that matter most come first.
  if (classes[0]?.sample.priority === classes.at(-1)?.sample.priority) return false;
  const bound = classes.filter(({ sample }) => sample.affinity !== undefined);
  const byLabel = bound.length === 0 ? new Map() : classesByLabel(classes);
  for (const own of bound) {
    const { matches, anchor } = companyRule(own.sample.affinity ?? [], snapshot);
    const likely: readonly PodClass[] =
      anchor === undefined ? classes : (byLabel.get(anchor) ?? []);
    const isKin = (other: PodClass): boolean =>
      other !== own && other.sample.priority <= own.sample.priority && matches(other.sample);
    if (matches(own.sample) && likely.some(isKin)) return true;
    yield;
  }
  return false;
}

/** By each label that their pods carry, written `key=value`. */
function classesByLabel(classes: readonly PodClass[]): ReadonlyMap<string, readonly PodClass[]> {
  const lists = new Map<string, PodClass[]>();
  for (const one of classes)
    for (const [key, value] of Object.entries(one.sample.labels)) {
      const label = `${key}=${value}`;
      const list = lists.get(label);
      if (list === undefined) lists.set(label, [one]);
      else list.push(one);
    }
  return lists;
}

function companyRule(terms: readonly PodTerm[], { namespaces }: Snapshot): GroupRule {
  return termRule('affinity', terms, { key: '', isHard: true, namespaces });
}
