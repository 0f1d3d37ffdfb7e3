import type { Pod, Toleration } from '../../core/cluster/pod.ts';
import { annotations } from '../../core/requirements/well-known.ts';
import type { DaemonSetObject, PodObject } from '../kubernetes/core.ts';
import { conditionOf, type ObjectMeta } from '../resource.ts';
import { type DefaultSpread, defaultSpreadOf } from './default-spread.ts';
import { parseDuration, parseTime } from './duration.ts';
import { type Placing, placingOf } from './pod-placing.ts';
import { resolveVolumes, type VolumeLookups } from './volumes.ts';

/** What a pod depends on beside itself. */
export interface PodContext {
  /** Where its volume claims are looked up; without, its volumes decide nothing. */
  readonly volumes?: VolumeLookups | undefined;
  /** How the kube-scheduler of the cluster spreads pods that do not say; it does not by default. */
  readonly defaultSpread?: readonly DefaultSpread[] | undefined;
}

/**
 * The pod as decisions see it. Pure and independent of the time, so that it may be kept until
 * the object or its volumes change. What cannot be read is told in `invalid`; nothing is thrown.
 */
export function decodePod(object: PodObject, context: PodContext = {}): Pod {
  const { metadata, spec } = object;
  const namespace = metadata.namespace ?? '';
  const labels = metadata.labels ?? noLabels;
  const placing = placingOf({ spec, namespace, labels, status: object.status });
  const volumes =
    context.volumes === undefined ? undefined : resolveVolumes(object, context.volumes);
  const problem = volumes !== undefined && 'problem' in volumes ? volumes.problem : undefined;
  const own: Own = {
    uid: metadata.uid ?? `${namespace}/${metadata.name}`,
    namespace,
    name: metadata.name,
    createdAtMs: parseTime(metadata.creationTimestamp) ?? 0,
    labels,
    nodeName: spec.nodeName === '' ? undefined : spec.nodeName,
    owner: workloadOf(metadata),
    isDaemon: isOwnedBy(metadata, 'apps/v1', 'DaemonSet'),
    isMirror:
      isOwnedBy(metadata, 'v1', 'Node') ||
      metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined,
    isTerminal: object.status?.phase === 'Succeeded' || object.status?.phase === 'Failed',
    isTerminating: metadata.deletionTimestamp !== undefined,
    isUnschedulable: isUnschedulable(object),
    doNotDisrupt: metadata.annotations?.[annotations.doNotDisrupt] === 'true',
    doNotDisruptUntilMs: protectedUntil(object),
    goneByMs: parseTime(metadata.deletionTimestamp),
    volumes: volumes !== undefined && 'alternatives' in volumes ? volumes : undefined,
    invalid: problem === undefined ? placing.invalid : [...(placing.invalid ?? []), problem],
  };
  return assembled(own, withDefaults(placing, object, context));
}

function withDefaults(placing: Placing, { metadata }: PodObject, context: PodContext): Placing {
  if (context.defaultSpread === undefined || placing.spread !== undefined) return placing;
  const kind = metadata.ownerReferences?.find(({ controller }) => controller === true)?.kind;
  const spread = defaultSpreadOf(context.defaultSpread, kind, metadata.labels ?? noLabels);
  return spread === undefined ? placing : { ...placing, spread };
}

type Own = Omit<Pod, keyof Placing> & Pick<Pod, 'invalid'>;

/** Field by field, so that a hundred thousand pods are of one form and cheap to make. */
function assembled(own: Own, placing: Placing): Pod {
  return {
    uid: own.uid,
    namespace: own.namespace,
    name: own.name,
    createdAtMs: own.createdAtMs,
    labels: own.labels,
    requests: placing.requests,
    nodeAlternatives: placing.nodeAlternatives,
    tolerations: placing.tolerations,
    hostPorts: placing.hostPorts,
    nodePreferences: placing.nodePreferences,
    spread: placing.spread,
    affinity: placing.affinity,
    antiAffinity: placing.antiAffinity,
    preferredAffinity: placing.preferredAffinity,
    preferredAntiAffinity: placing.preferredAntiAffinity,
    volumes: own.volumes,
    unsupported: placing.unsupported,
    priority: placing.priority,
    nodeName: own.nodeName,
    owner: own.owner,
    isDaemon: own.isDaemon,
    isMirror: own.isMirror,
    isTerminal: own.isTerminal,
    isTerminating: own.isTerminating,
    isUnschedulable: own.isUnschedulable,
    doNotDisrupt: own.doNotDisrupt,
    doNotDisruptUntilMs: own.doNotDisruptUntilMs,
    priorityClass: placing.priorityClass,
    invalid: own.invalid,
    goneByMs: own.goneByMs,
    gracePeriodMs: placing.gracePeriodMs,
  };
}

const noLabels: Readonly<Record<string, string>> = {};

/** The pod that the DaemonSet will put on a new node. */
export function decodeDaemon(object: DaemonSetObject): Pod {
  const { metadata, spec } = object;
  const namespace = metadata.namespace ?? '';
  const labels = spec.template.metadata?.labels ?? noLabels;
  const placing = placingOf({ spec: spec.template.spec, namespace, labels });
  const own: Own = {
    uid: metadata.uid ?? `${namespace}/${metadata.name}`,
    namespace,
    name: metadata.name,
    createdAtMs: parseTime(metadata.creationTimestamp) ?? 0,
    labels,
    owner: { kind: 'DaemonSet', name: metadata.name },
    isDaemon: true,
    isMirror: false,
    isTerminal: false,
    isTerminating: false,
    isUnschedulable: false,
    doNotDisrupt: false,
    invalid: placing.invalid,
  };
  const tolerations = [...placing.tolerations, ...daemonTolerations];
  return assembled(own, { ...placing, tolerations });
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

/** A duration protects from the start of the pod; before it has started, for as long as that. */
function protectedUntil(object: PodObject): number | undefined {
  const wish = object.metadata.annotations?.[annotations.doNotDisrupt];
  if (wish === undefined || wish === 'Never' || wish === 'true') return undefined;
  const lengthMs = parseDuration(wish) ?? 0;
  if (lengthMs <= 0) return undefined;
  return (parseTime(object.status?.startTime) ?? Infinity) + lengthMs;
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
