import { isList, isMap, type Path } from '../value.ts';
import type { Revision } from './revision.ts';

const doNotDisrupt = 'karpenter.sh/do-not-disrupt';
const oldAnnotations = ['karpenter.sh/do-not-evict', 'karpenter.sh/do-not-consolidate'];

/** Where kinds that run pods keep their pod template. */
const podTemplates: Readonly<Record<string, Path>> = {
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  ReplicationController: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
  PodTemplate: ['template'],
};

/** Renews Karpenter's annotations, labels and taints in pods, in what makes pods, and in nodes. */
export function reviseWorkload(revision: Revision, kind: string): void {
  renewAnnotations(revision, ['metadata', 'annotations']);
  if (kind === 'Pod') revisePod(revision, []);
  const template = Object.hasOwn(podTemplates, kind) ? podTemplates[kind] : undefined;
  if (template === undefined) return;
  renewAnnotations(revision, [...template, 'metadata', 'annotations']);
  revisePod(revision, template);
}

/** Whether objects of this kind are looked into. */
export function isWorkload(apiVersion: string, kind: string): boolean {
  const [group = ''] = apiVersion.split('/');
  if (apiVersion === 'v1')
    return ['Pod', 'Node', 'ReplicationController', 'PodTemplate'].includes(kind);
  return (group === 'apps' || group === 'batch') && Object.hasOwn(podTemplates, kind);
}

/** `do-not-evict` and `do-not-consolidate` are one annotation now. */
export function renewAnnotations(revision: Revision, at: Path): void {
  for (const old of oldAnnotations) {
    if (!revision.has(...at, old)) continue;
    const why = `${old} is called ${doNotDisrupt} since v1beta1, and the old name is not read`;
    const isThere = revision.has(...at, doNotDisrupt);
    revision.change(
      { why, now: 'it holds again: no node with such a pod is disrupted of our own will' },
      isThere
        ? { kind: 'remove', at: [...at, old] }
        : { kind: 'rename', at: [...at, old], to: doNotDisrupt },
    );
  }
}

function revisePod(revision: Revision, pod: Path): void {
  const selector = [...pod, 'spec', 'nodeSelector'];
  const old = 'karpenter.sh/provisioner-name';
  if (revision.has(...selector, old) && !revision.has(...selector, 'karpenter.sh/nodepool'))
    revision.change(renewedLabel, {
      kind: 'rename',
      at: [...selector, old],
      to: 'karpenter.sh/nodepool',
    });
  for (const at of expressionKeys(revision, [...pod, 'spec', 'affinity', 'nodeAffinity']))
    revision.change(renewedLabel, { kind: 'set', at, value: 'karpenter.sh/nodepool' });
  renewTolerations(revision, [...pod, 'spec', 'tolerations']);
}

const renewedLabel = {
  why: 'nodes carry karpenter.sh/nodepool in place of karpenter.sh/provisioner-name',
  now: 'pods match nodes of the NodePool of that name',
};

/** The places in a node affinity where the old label is the key of an expression. */
function expressionKeys(revision: Revision, affinity: Path): readonly Path[] {
  const required = [
    ...affinity,
    'requiredDuringSchedulingIgnoredDuringExecution',
    'nodeSelectorTerms',
  ];
  const preferred = [...affinity, 'preferredDuringSchedulingIgnoredDuringExecution'];
  const terms = [
    ...placesIn(revision, required),
    ...placesIn(revision, preferred).map((at) => [...at, 'preference']),
  ];
  return terms
    .flatMap((at) => placesIn(revision, [...at, 'matchExpressions']))
    .map((at) => [...at, 'key'])
    .filter((at) => revision.at(...at) === 'karpenter.sh/provisioner-name');
}

function placesIn(revision: Revision, list: Path): readonly Path[] {
  const value = revision.at(...list);
  return isList(value) ? value.map((_, index) => [...list, index]) : [];
}

function renewTolerations(revision: Revision, list: Path): void {
  for (const at of placesIn(revision, list)) {
    const toleration = revision.at(...at);
    if (!isMap(toleration) || toleration.key !== 'karpenter.sh/disruption') continue;
    const story = {
      why: 'nodes that are leaving carry the taint karpenter.sh/disrupted, which has no value',
      now: 'the pod tolerates the taint again, and so is not evicted when its node is disrupted',
    };
    revision.change(
      story,
      { kind: 'set', at: [...at, 'key'], value: 'karpenter.sh/disrupted' },
      ...(toleration.operator === 'Exists'
        ? []
        : [{ kind: 'set', at: [...at, 'operator'], value: 'Exists' } as const]),
      ...(toleration.value === undefined
        ? []
        : [{ kind: 'remove', at: [...at, 'value'] } as const]),
    );
  }
}
