import type { HostPort, NodePreference } from '../../core/cluster/pod.ts';
import {
  combine,
  type Requirements,
  requirementsOf,
} from '../../core/requirements/requirements.ts';
import type { Container, NodeSelectorTerm, PodSpec } from '../kubernetes/core.ts';
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
  return required.filter(isMeetable).map((term) => combine(selector, requirementsOfTerm(term)));
}

/** The labels that it would like its node to have; undefined where it has no such wish. */
export function nodePreferences(spec: PodSpec): readonly NodePreference[] | undefined {
  const preferred =
    spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const wishes = preferred
    .filter(({ preference }) => isMeetable(preference))
    .map(({ weight, preference }) => ({ weight, requirements: requirementsOfTerm(preference) }));
  return wishes.length === 0 ? undefined : wishes;
}

/**
 * Fields are asked for like labels of their own names. The only one there is, `metadata.name`,
 * is no label of any node that a pool can make, so that it leads to existing nodes alone.
 */
function requirementsOfTerm(term: NodeSelectorTerm): Requirements {
  return requirementsOf([...(term.matchExpressions ?? []), ...(term.matchFields ?? [])]);
}

/** Kubernetes lets a term that asks for nothing match no node. */
function isMeetable(term: NodeSelectorTerm): boolean {
  return (term.matchExpressions?.length ?? 0) + (term.matchFields?.length ?? 0) > 0;
}

/**
 * Ports of the host that the pod's running containers ask for. On the host's own network every
 * port is one of the host's, as the API server would have it.
 */
export function hostPorts(spec: PodSpec): readonly HostPort[] {
  let ports: HostPort[] | undefined;
  for (const container of spec.containers) ports = withPorts(ports, container, spec);
  for (const container of spec.initContainers ?? [])
    if (isSidecar(container)) ports = withPorts(ports, container, spec);
  return ports ?? none;
}

const none: readonly never[] = [];

function withPorts(
  known: HostPort[] | undefined,
  { ports }: Container,
  { hostNetwork }: PodSpec,
): HostPort[] | undefined {
  let all = known;
  for (const { hostIP = '', hostPort = 0, protocol = 'TCP', containerPort } of ports ?? none) {
    const port = hostPort === 0 && hostNetwork === true ? containerPort : hostPort;
    if (port <= 0) continue;
    all ??= [];
    all.push({ ip: hostIP, port, protocol });
  }
  return all;
}

/** Rules on the pod that the engine does not place by, in the words of manifests. */
export function unsupportedConstraints(spec: PodSpec): readonly string[] {
  return (spec.resourceClaims?.length ?? 0) > 0 ? ['resourceClaims'] : none;
}
