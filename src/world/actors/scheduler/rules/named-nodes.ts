import type { NodeSelectorTerm } from '../../../../api/kubernetes/core.ts';
import { type Rule, rejection } from '../rule.ts';

/**
 * A pod whose every affinity term names its nodes (as those of DaemonSets do) is offered to these
 * alone; other rules are not asked about the rest, hence the wording.
 */
export const namedNodes: Rule = {
  name: 'NodeAffinity',
  prepare(pod) {
    const affinity = pod.object.spec.affinity?.nodeAffinity;
    const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
    if (terms.length === 0) return undefined;
    const names = new Set<string>();
    for (const term of terms) {
      const named = nodesNamedBy(term);
      if (named === undefined) return undefined;
      for (const name of named) names.add(name);
    }
    const absent = rejection("node(s) didn't satisfy plugin(s) [NodeAffinity]", 'final');
    return (node) => (names.has(node.name) ? undefined : absent);
  },
};

function nodesNamedBy(term: NodeSelectorTerm): readonly string[] | undefined {
  let names: readonly string[] | undefined;
  for (const field of term.matchFields ?? []) {
    if (field.key !== 'metadata.name' || field.operator !== 'In') continue;
    const values = field.values ?? [];
    names = names === undefined ? values : names.filter((name) => values.includes(name));
  }
  return names;
}
