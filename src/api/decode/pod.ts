import type { Pod, Toleration } from '../../core/cluster/pod.ts';
import { noRequirements } from '../../core/requirements/requirements.ts';
import { annotations } from '../../core/requirements/well-known.ts';
import type { DaemonSetObject, PodObject, PodSpec, TolerationObject } from '../kubernetes/core.ts';
import { conditionOf, type ObjectMeta } from '../resource.ts';
import { parseDuration, parseTime } from './duration.ts';
import { hostPorts, nodeAlternatives, unsupportedConstraints } from './pod-constraints.ts';
import { podRequests } from './pod-requests.ts';

/**
 * The pod as decisions see it. Pure and independent of the time, so that it may be kept until
 * the object changes. What cannot be read is told in `invalid`; nothing is thrown.
 */
export function decodePod(object: PodObject): Pod {
  const { metadata, spec, status } = object;
  const deletionMs = parseTime(metadata.deletionTimestamp);
  return {
    ...placing(spec),
    uid: metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    createdAtMs: parseTime(metadata.creationTimestamp) ?? 0,
    labels: metadata.labels ?? {},
    nodeName: spec.nodeName === '' ? undefined : spec.nodeName,
    owner: workloadOf(metadata),
    isDaemon: isOwnedBy(metadata, 'apps/v1', 'DaemonSet'),
    isMirror:
      isOwnedBy(metadata, 'v1', 'Node') ||
      metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined,
    isTerminal: status?.phase === 'Succeeded' || status?.phase === 'Failed',
    isTerminating: deletionMs !== undefined,
    isUnschedulable: isUnschedulable(object),
    ...protection(object),
    goneByMs: deletionMs,
  };
}

/** The pod that the DaemonSet will put on a new node. */
export function decodeDaemon(object: DaemonSetObject): Pod {
  const { metadata, spec } = object;
  const own = placing(spec.template.spec);
  return {
    ...own,
    tolerations: [...own.tolerations, ...daemonTolerations],
    uid: metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    createdAtMs: parseTime(metadata.creationTimestamp) ?? 0,
    labels: spec.template.metadata?.labels ?? {},
    owner: { kind: 'DaemonSet', name: metadata.name },
    isDaemon: true,
    isMirror: false,
    isTerminal: false,
    isTerminating: false,
    isUnschedulable: false,
    doNotDisrupt: false,
  };
}

type Placing = Pick<
  Pod,
  | 'requests'
  | 'nodeAlternatives'
  | 'tolerations'
  | 'hostPorts'
  | 'unsupported'
  | 'priority'
  | 'priorityClass'
  | 'gracePeriodMs'
  | 'invalid'
>;

function placing(spec: PodSpec): Placing {
  const requests = podRequests(spec);
  const alternatives = nodeAlternatives(spec);
  const invalid = [...requests.invalid];
  if (alternatives.length === 0)
    invalid.push('required node affinity: none of its terms can match a node');
  return {
    requests: requests.resources,
    nodeAlternatives: alternatives.length > 0 ? alternatives : [noRequirements],
    tolerations: (spec.tolerations ?? []).map(decodeToleration),
    hostPorts: hostPorts(spec),
    unsupported: unsupportedConstraints(spec),
    priority: spec.priority ?? 0,
    priorityClass: spec.priorityClassName,
    gracePeriodMs:
      spec.terminationGracePeriodSeconds === undefined
        ? undefined
        : spec.terminationGracePeriodSeconds * 1_000,
    invalid: invalid.length > 0 ? invalid : undefined,
  };
}

function decodeToleration(toleration: TolerationObject): Toleration {
  const { key, operator, value, effect } = toleration;
  return { key, operator, value, effect };
}

/** The taints that the DaemonSet controller lets every one of its pods tolerate. */
const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

/** A pod that has been promised a node by preemption waits for that node, not for us. */
function isUnschedulable(object: PodObject): boolean {
  if ((object.status?.nominatedNodeName ?? '') !== '') return false;
  return conditionOf(object, 'PodScheduled')?.reason === 'Unschedulable';
}

/** `true` protects for good, a duration from the start of the pod; anything else does not. */
function protection(object: PodObject): Pick<Pod, 'doNotDisrupt' | 'doNotDisruptUntilMs'> {
  const wish = object.metadata.annotations?.[annotations.doNotDisrupt];
  if (wish === undefined || wish === 'Never') return { doNotDisrupt: false };
  if (wish === 'true') return { doNotDisrupt: true };
  const lengthMs = parseDuration(wish) ?? 0;
  if (lengthMs <= 0) return { doNotDisrupt: false };
  // Before it has started, the time has not begun to run.
  const startMs = parseTime(object.status?.startTime) ?? Infinity;
  return { doNotDisrupt: false, doNotDisruptUntilMs: startMs + lengthMs };
}

function isOwnedBy(metadata: ObjectMeta, apiVersion: string, kind: string): boolean {
  return (metadata.ownerReferences ?? []).some(
    (owner) => owner.apiVersion === apiVersion && owner.kind === kind,
  );
}

/** The controller that people know: the Deployment behind a ReplicaSet of its making. */
function workloadOf(metadata: ObjectMeta): Pod['owner'] {
  const owners = metadata.ownerReferences ?? [];
  const owner = owners.find((candidate) => candidate.controller === true) ?? owners[0];
  if (owner === undefined) return undefined;
  const suffix = `-${metadata.labels?.['pod-template-hash'] ?? ''}`;
  if (owner.kind === 'ReplicaSet' && suffix.length > 1 && owner.name.endsWith(suffix))
    return { kind: 'Deployment', name: owner.name.slice(0, -suffix.length) };
  return { kind: owner.kind, name: owner.name };
}
