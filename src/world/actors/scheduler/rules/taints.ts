import { firstUntolerated } from '../../toleration.ts';
import { type Rule, rejection } from '../rule.ts';

const repelled = rejection('node(s) had untolerated taint(s)', 'final');

/** Taints with effect NoSchedule or NoExecute keep out pods that do not tolerate them. */
export const taints: Rule = {
  name: 'TaintToleration',
  prepare(pod) {
    const { tolerations } = pod.object.spec;
    return (node) => {
      const taint = firstUntolerated(node.node.spec?.taints, tolerations, [
        'NoSchedule',
        'NoExecute',
      ]);
      return taint === undefined ? undefined : repelled;
    };
  },
};
