import { type Rule, rejection } from '../rule.ts';

const otherNode = rejection("node(s) didn't match the requested node name", 'final');

/** A pod that names its node goes nowhere else. */
export const nodeName: Rule = {
  name: 'NodeName',
  prepare(pod) {
    const wanted = pod.object.spec.nodeName;
    if (!wanted) return undefined;
    return (node) => (node.name === wanted ? undefined : otherNode);
  },
};
