import { isTolerated } from '../../toleration.ts';
import { type Rule, rejection } from '../rule.ts';

const cordoned = rejection('node(s) were unschedulable', 'final');

/** A cordoned node takes only pods that tolerate the taint of that name. */
export const unschedulable: Rule = {
  name: 'NodeUnschedulable',
  prepare(pod) {
    const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;
    if (isTolerated(taint, pod.object.spec.tolerations)) return undefined;
    return (node) => (node.node.spec?.unschedulable === true ? cordoned : undefined);
  },
};
