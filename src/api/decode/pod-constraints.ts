import type { HostPort } from '../../core/cluster/pod.ts';
import {
  combine,
  noRequirements,
  type Requirements,
  requirementsOf,
} from '../../core/requirements/requirements.ts';
import type { NodeSelectorTerm, PodSpec } from '../kubernetes/core.ts';
import { isSidecar } from './pod-requests.ts';

/**
 * The node selector joined with each required affinity term: alternatives, any of which will
 * do. Empty only where the pod rules out every node, as an affinity without terms does.
 */
export function nodeAlternatives(spec: PodSpec): readonly Requirements[] {
  const selector = requirementsOf(
    Object.entries(spec.nodeSelector ?? {}).map(([key, value]) => ({
      key,
      operator: 'In' as const,
      values: [value],
    })),
  );
  const required =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (required === undefined) return [selector];
  return required
    .filter(isMeetable)
    .map((term) =>
      combine(
        selector,
        term.matchExpressions === undefined
          ? noRequirements
          : requirementsOf(term.matchExpressions),
      ),
    );
}

/** Kubernetes lets a term that asks for nothing match no node. */
function isMeetable(term: NodeSelectorTerm): boolean {
  return (term.matchExpressions?.length ?? 0) + (term.matchFields?.length ?? 0) > 0;
}

/** Ports of the host that the pod's running containers ask for. */
export function hostPorts(spec: PodSpec): readonly HostPort[] {
  const running = [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)];
  return running
    .flatMap((container) => container.ports ?? [])
    .filter((port) => (port.hostPort ?? 0) > 0)
    .map((port) => ({
      ip: port.hostIP ?? '',
      port: port.hostPort ?? 0,
      protocol: port.protocol ?? 'TCP',
    }));
}

/** Hard rules on the pod that the engine does not place by yet, in the words of manifests. */
export function unsupportedConstraints(spec: PodSpec): readonly string[] {
  return [
    ...affinityRules(spec),
    ...(spec.topologySpreadConstraints ?? [])
      .filter((constraint) => constraint.whenUnsatisfiable === 'DoNotSchedule')
      .map(
        (constraint) => `topologySpreadConstraints DoNotSchedule over ${constraint.topologyKey}`,
      ),
    ...volumeRules(spec),
    ...(spec.resourceClaims !== undefined && spec.resourceClaims.length > 0
      ? ['resourceClaims']
      : []),
  ];
}

function affinityRules(spec: PodSpec): readonly string[] {
  const rules: string[] = [];
  const { nodeAffinity, podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const nodeTerms =
    nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (nodeTerms.some((term) => (term.matchFields?.length ?? 0) > 0))
    rules.push('node affinity by matchFields');
  for (const term of podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
    rules.push(`required podAffinity over ${term.topologyKey}`);
  for (const term of podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
    rules.push(`required podAntiAffinity over ${term.topologyKey}`);
  return rules;
}

function volumeRules(spec: PodSpec): readonly string[] {
  return (spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim !== undefined)
      return [`persistentVolumeClaim ${volume.persistentVolumeClaim.claimName}`];
    return volume.ephemeral !== undefined ? [`ephemeral volume ${volume.name}`] : [];
  });
}
