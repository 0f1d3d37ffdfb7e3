import type { Pod, PodVolumes, Toleration } from '../../core/cluster/pod.ts';
import { annotations } from '../../core/requirements/well-known.ts';
import type { DaemonSetObject, PodObject, PodSpec, ServiceObject } from '../kubernetes/core.ts';
import { isPromisedNode } from '../kubernetes/nomination.ts';
import { conditionOf, type ObjectMeta } from '../resource.ts';
import { type DefaultSpread, defaultSpreadOf } from './default-spread.ts';
import { parseDuration, parseTime } from './duration.ts';
import { hostPorts, unsupportedConstraints } from './pod-constraints.ts';
import { PodMemory } from './pod-memory.ts';
import { podRequests } from './pod-requests.ts';
import { type PodRules, rulesOf } from './pod-rules.ts';
import type { DecodedResources } from './resources.ts';
import { resolveVolumes, type VolumeLookups, type VolumeProblem } from './volumes.ts';

/** What a pod depends on beside itself. */
export interface PodContext {
  /** Where its volume claims are looked up; without, its volumes decide nothing. */
  readonly volumes?: VolumeLookups | undefined;
  /** How the kube-scheduler of the cluster spreads pods that do not say; it does not by default. */
  readonly defaultSpread?: readonly DefaultSpread[] | undefined;
  /** The Services of a namespace, by which pods without a controller are spread by default. */
  readonly servicesIn?: ((namespace: string) => readonly ServiceObject[]) | undefined;
  /** What was read of other pods, so that equal parts are the same value. */
  readonly memory?: PodMemory | undefined;
}

/**
 * The pod as decisions see it. Pure and independent of the time, so that it may be kept until
 * the object or its volumes change. What cannot be read is told in `invalid`; nothing is thrown.
 */
export function decodePod(object: PodObject, context: PodContext = {}): Pod {
  const { metadata, spec, status } = object;
  const { memory = new PodMemory() } = context;
  const namespace = metadata.namespace ?? '';
  const labels = labelsOf(metadata, memory);
  const requests = podRequests(spec, status, memory);
  const rules = rulesOf(spec, { namespace, labels }, memory);
  const volumes = volumesOf(object, context, memory);
  return {
    uid: metadata.uid ?? `${namespace}/${metadata.name}`,
    namespace,
    name: metadata.name,
    createdAtMs: memory.timeOf(metadata.creationTimestamp) ?? 0,
    labels,
    requests: requests.resources,
    nodeAlternatives: rules.nodeAlternatives,
    tolerations: rules.tolerations,
    hostPorts: hostPorts(spec),
    nodePreferences: rules.nodePreferences,
    spread: rules.spread ?? clusterSpread(object, labels, context),
    affinity: rules.affinity,
    antiAffinity: rules.antiAffinity,
    preferredAffinity: rules.preferredAffinity,
    preferredAntiAffinity: rules.preferredAntiAffinity,
    volumes: volumes !== undefined && 'alternatives' in volumes ? volumes : undefined,
    unsupported: unsupportedConstraints(spec),
    priority: spec.priority ?? 0,
    nodeName: spec.nodeName === '' ? undefined : spec.nodeName,
    owner: workloadOf(metadata),
    isDaemon: isOwnedBy(metadata, 'apps/v1', 'DaemonSet'),
    isMirror: isMirror(metadata),
    isTerminal: status?.phase === 'Succeeded' || status?.phase === 'Failed',
    isTerminating: metadata.deletionTimestamp !== undefined,
    isUnschedulable: isUnschedulable(object),
    doNotDisrupt: metadata.annotations?.[annotations.doNotDisrupt] === 'true',
    doNotDisruptUntilMs: protectedUntil(object),
    priorityClass: spec.priorityClassName,
    invalid: problemsOf(requests, rules, volumes),
    goneByMs: parseTime(metadata.deletionTimestamp),
    gracePeriodMs: gracePeriodMs(spec),
  };
}

/** The pod that the DaemonSet will put on a new node. */
export function decodeDaemon({ metadata, spec: { template } }: DaemonSetObject): Pod {
  const { name, namespace, uid, creationTimestamp } = metadata;
  const pod = decodePod({
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(template.metadata?.labels === undefined ? {} : { labels: template.metadata.labels }),
    },
    spec: template.spec,
  });
  return {
    ...pod,
    tolerations: [...pod.tolerations, ...daemonTolerations],
    owner: { kind: 'DaemonSet', name },
    isDaemon: true,
  };
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

const noLabels: Readonly<Record<string, string>> = {};

/** Equal labels, in one memory, are the same value. */
function labelsOf({ labels }: ObjectMeta, memory: PodMemory): Pod['labels'] {
  return labels === undefined ? noLabels : memory.labels.of(labels, () => labels);
}

function clusterSpread(
  { metadata }: PodObject,
  labels: Pod['labels'],
  { defaultSpread, servicesIn }: PodContext,
): Pod['spread'] {
  if (defaultSpread === undefined) return undefined;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  const services = servicesIn?.(metadata.namespace ?? '') ?? [];
  return defaultSpreadOf(defaultSpread, { labels, controllerKind: owner?.kind, services });
}

function volumesOf(
  object: PodObject,
  { volumes }: PodContext,
  memory: PodMemory,
): PodVolumes | VolumeProblem | undefined {
  return volumes === undefined ? undefined : resolveVolumes(object, volumes, memory);
}

function problemsOf(
  { invalid }: DecodedResources,
  { problem }: PodRules,
  volumes: PodVolumes | VolumeProblem | undefined,
): Pod['invalid'] {
  const ofVolumes = volumes !== undefined && 'problem' in volumes ? volumes.problem : undefined;
  if (invalid.length === 0 && problem === undefined && ofVolumes === undefined) return undefined;
  return [...invalid, ...[problem, ofVolumes].filter((one) => one !== undefined)];
}

function gracePeriodMs({ terminationGracePeriodSeconds: seconds }: PodSpec): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** A pod that the scheduler has promised a node waits for that node, not for us. */
function isUnschedulable(object: PodObject): boolean {
  if (isPromisedNode(object)) return false;
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

function isMirror(metadata: ObjectMeta): boolean {
  return (
    isOwnedBy(metadata, 'v1', 'Node') ||
    metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
  );
}

function isOwnedBy({ ownerReferences }: ObjectMeta, apiVersion: string, kind: string): boolean {
  if (ownerReferences === undefined) return false;
  return ownerReferences.some((owner) => owner.apiVersion === apiVersion && owner.kind === kind);
}

/** The controller that people know: the Deployment behind a ReplicaSet of its making. */
function workloadOf(metadata: ObjectMeta): Pod['owner'] {
  const owners = metadata.ownerReferences;
  if (owners === undefined) return undefined;
  const owner = owners.find((candidate) => candidate.controller === true) ?? owners[0];
  if (owner === undefined) return undefined;
  const suffix = `-${metadata.labels?.['pod-template-hash'] ?? ''}`;
  if (owner.kind === 'ReplicaSet' && suffix.length > 1 && owner.name.endsWith(suffix))
    return { kind: 'Deployment', name: owner.name.slice(0, -suffix.length) };
  return { kind: owner.kind, name: owner.name };
}
