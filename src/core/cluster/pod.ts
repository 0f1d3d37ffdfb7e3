import type { Resources } from '../quantity/resources.ts';
import type { Requirements } from '../requirements/requirements.ts';
import type { LabelSelector } from './label-selector.ts';

/** A pod as decisions see it: only what decides where it may go and whether it may be moved. */
export interface Pod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly labels: Readonly<Record<string, string>>;
  /** What the scheduler will reserve for it, `pods: 1` included. */
  readonly requests: Resources;
  /**
   * Alternatives for the node's labels: the node selector joined with each required affinity
   * term. Any one suffices; never empty (no constraint is one empty alternative).
   */
  readonly nodeAlternatives: readonly Requirements[];
  readonly tolerations: readonly Toleration[];
  readonly hostPorts: readonly HostPort[];
  /** Node labels that it would like, of which any may be given up; in the order of the manifest. */
  readonly nodePreferences?: readonly NodePreference[] | undefined;
  /** How evenly it is to be spread; hard and soft constraints, in the order of the manifest. */
  readonly spread?: readonly SpreadConstraint[] | undefined;
  /** Pods that must be in its domain, each term for itself. */
  readonly affinity?: readonly PodTerm[] | undefined;
  /** Pods that must not be in its domain. They keep it away, and it keeps them away. */
  readonly antiAffinity?: readonly PodTerm[] | undefined;
  readonly preferredAffinity?: readonly WeightedPodTerm[] | undefined;
  readonly preferredAntiAffinity?: readonly WeightedPodTerm[] | undefined;
  /** Its persistent volumes, as far as they decide where it may go. */
  readonly volumes?: PodVolumes | undefined;
  /** Scheduling rules present on the pod that this engine does not place by, as users write them. */
  readonly unsupported: readonly string[];
  readonly priority: number;
  /** The node it is bound to, if any. */
  readonly nodeName?: string | undefined;
  readonly owner?: { readonly kind: string; readonly name: string } | undefined;
  readonly isDaemon: boolean;
  readonly isMirror: boolean;
  readonly isTerminal: boolean;
  readonly isTerminating: boolean;
  /** The kube-scheduler has tried it and found no place. */
  readonly isUnschedulable: boolean;
  /** Protected for as long as it lives. */
  readonly doNotDisrupt: boolean;
  /** Protected until then, where the protection was given for a time. */
  readonly doNotDisruptUntilMs?: number | undefined;
  readonly priorityClass?: string | undefined;
  /** What of it cannot be understood, as sentences; such a pod is placed nowhere. */
  readonly invalid?: readonly string[] | undefined;
  /** When a terminating pod should be gone, its grace period included. */
  readonly goneByMs?: number | undefined;
  readonly gracePeriodMs?: number | undefined;
}

export interface NodePreference {
  readonly weight: number;
  readonly requirements: Requirements;
}

/** At most `maxSkew` more matching pods in its domain than in the emptiest eligible one. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  /** `DoNotSchedule`; a soft one may be given up. */
  readonly isHard: boolean;
  readonly minDomains?: number | undefined;
  /** The values of `matchLabelKeys` are part of it already. None given matches no pod. */
  readonly selector?: LabelSelector | undefined;
  /** Only nodes that its node selector and affinity allow count (`Honor`, the default). */
  readonly honorsNodeAffinity: boolean;
  /** Only nodes whose taints it tolerates count; `Ignore` is the default. */
  readonly honorsTaints: boolean;
}

/** Pods of some namespaces, seen from one topology domain. */
export interface PodTerm {
  readonly topologyKey: string;
  /** `matchLabelKeys` and `mismatchLabelKeys` are part of it already. None given matches no pod. */
  readonly selector?: LabelSelector | undefined;
  /** By name; the pod's own where the manifest names none and selects none. */
  readonly namespaces: readonly string[];
  /** Further namespaces, by their labels in `Snapshot.namespaces`; an empty selector takes all. */
  readonly namespaceSelector?: LabelSelector | undefined;
}

export interface WeightedPodTerm extends PodTerm {
  readonly weight: number;
}

export interface PodVolumes {
  /**
   * Alternatives for the node's labels that all its volumes together allow; no constraint is
   * one empty alternative.
   */
  readonly alternatives: readonly Requirements[];
  /** Volumes to attach, by CSI driver; one volume used by two pods of a node counts once. */
  readonly attachments: Readonly<Record<string, readonly string[]>>;
  /** Claims that one pod of the cluster may use at a time, by namespace and name. */
  readonly exclusive?: readonly string[] | undefined;
}

/** Whether its owner has asked that it be left alone at this moment. */
export function isProtected(pod: Pod, nowMs: number): boolean {
  return pod.doNotDisrupt || (pod.doNotDisruptUntilMs ?? -Infinity) > nowMs;
}

/** Whether the engine must find a place for it: unbound, tried in vain, no daemon, no mirror. */
export function isProvisionable(pod: Pod): boolean {
  return pod.isUnschedulable && pod.nodeName === undefined && !pod.isDaemon && !pod.isMirror;
}

/** Whether it comes back elsewhere when its node goes, so that it needs a place. */
export function isReschedulable(pod: Pod): boolean {
  if (pod.isDaemon || pod.isMirror || pod.isTerminal) return false;
  return !pod.isTerminating || pod.owner?.kind === 'StatefulSet';
}

export interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

export interface Toleration {
  readonly key?: string | undefined;
  readonly operator?: 'Exists' | 'Equal' | 'Gt' | 'Lt' | undefined;
  readonly value?: string | undefined;
  readonly effect?: Taint['effect'] | undefined;
}

export interface HostPort {
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

/** Whether one of the tolerations covers the taint. */
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => covers(toleration, taint));
}

/** The first taint that keeps a pod off the node. `PreferNoSchedule` only discourages. */
export function firstRepellingTaint(
  tolerations: readonly Toleration[],
  taints: readonly Taint[],
): Taint | undefined {
  return taints.find(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(tolerations, taint),
  );
}

/** Whether two pods want the same port of a node. */
export function portsClash(a: readonly HostPort[], b: readonly HostPort[]): boolean {
  return a.some((one) => b.some((other) => isSamePort(one, other)));
}

function isSamePort(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.ip === b.ip || isEveryAddress(a.ip) || isEveryAddress(b.ip);
}

function isEveryAddress(ip: string): boolean {
  return ip === '' || ip === '0.0.0.0' || ip === '::';
}

function covers(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== undefined && toleration.effect !== taint.effect) return false;
  if (toleration.key === undefined || toleration.key === '')
    return toleration.operator === 'Exists';
  if (toleration.key !== taint.key) return false;
  const value = taint.value ?? '';
  switch (toleration.operator ?? 'Equal') {
    case 'Exists':
      return true;
    case 'Equal':
      return (toleration.value ?? '') === value;
    case 'Gt':
      return (
        isInteger(value) && isInteger(toleration.value) && Number(value) > Number(toleration.value)
      );
    case 'Lt':
      return (
        isInteger(value) && isInteger(toleration.value) && Number(value) < Number(toleration.value)
      );
  }
}

/** Kubernetes reads no number with zeros in front. */
function isInteger(text: string | undefined): boolean {
  return text !== undefined && /^(0|-?[1-9]\d*)$/.test(text);
}
