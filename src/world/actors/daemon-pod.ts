import type {
  NodeObject,
  PodObject,
  PodSpec,
  PodTemplate,
  TolerationObject,
} from '../../api/kubernetes/core.ts';
import { matchesNode } from './scheduler/node-selector.ts';
import { firstUntolerated } from './toleration.ts';

/** Whether a daemon belongs on a node, and whether one that is there may stay. */
interface Eligibility {
  readonly shouldRun: boolean;
  readonly mayStay: boolean;
}

export function eligibility(template: PodTemplate, node: NodeObject): Eligibility {
  const { name } = node.metadata;
  const spec = daemonSpec(template.spec, name);
  if (template.spec.nodeName && template.spec.nodeName !== name)
    return { shouldRun: false, mayStay: false };
  if (!matchesNode({ metadata: { name: '' }, spec }, node))
    return { shouldRun: false, mayStay: false };
  const untolerated = (effects: Parameters<typeof firstUntolerated>[2]): boolean =>
    firstUntolerated(node.spec?.taints, spec.tolerations, effects) !== undefined;
  const shouldRun = !untolerated(['NoSchedule', 'NoExecute']);
  return { shouldRun, mayStay: shouldRun || !untolerated(['NoExecute']) };
}

/** The template's spec held to one node, with the tolerations that keep daemons on sick nodes. */
export function daemonSpec(spec: PodSpec, nodeName: string): PodSpec {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const field = { key: 'metadata.name', operator: 'In', values: [nodeName] } as const;
  const terms = required?.nodeSelectorTerms ?? [{}];
  const nodeSelectorTerms = terms.map((term) => ({ ...term, matchFields: [field] }));
  return {
    ...spec,
    affinity: {
      ...spec.affinity,
      nodeAffinity: {
        ...spec.affinity?.nodeAffinity,
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
      },
    },
    tolerations: withTolerations(
      spec.tolerations ?? [],
      spec.hostNetwork === true ? 'host' : 'pod',
    ),
  };
}

/** The node that the daemon is on or is meant for. */
export function nodeOfDaemon(pod: PodObject): string | undefined {
  if (pod.spec.nodeName) return pod.spec.nodeName;
  const affinity = pod.spec.affinity?.nodeAffinity;
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms[0]?.matchFields?.find((field) => field.key === 'metadata.name')?.values?.[0];
}

const always: readonly TolerationObject[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

const onHostNetwork: TolerationObject = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

function withTolerations(
  own: readonly TolerationObject[],
  network: 'host' | 'pod',
): readonly TolerationObject[] {
  const added = network === 'host' ? [...always, onHostNetwork] : always;
  const kept = own.filter(
    (toleration) => !added.some((a) => a.key === toleration.key && a.effect === toleration.effect),
  );
  return [...kept, ...added];
}
