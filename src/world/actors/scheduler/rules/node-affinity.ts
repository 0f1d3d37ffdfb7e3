import { matchesNode } from '../node-selector.ts';
import { type Rule, rejection } from '../rule.ts';

const mismatch = rejection("node(s) didn't match Pod's node affinity/selector", 'final');

/** The node selector, and one of the required node affinity terms. */
export const nodeAffinity: Rule = {
  name: 'NodeAffinity',
  prepare(pod) {
    const { nodeSelector, affinity } = pod.object.spec;
    const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    if (nodeSelector === undefined && required === undefined) return undefined;
    return (node) => (matchesNode(pod.object, node.node) ? undefined : mismatch);
  },
};
