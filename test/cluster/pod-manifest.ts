import { resourceListOf } from '../../src/api/decode/resources.ts';
import type { PodObject } from '../../src/api/kubernetes/core.ts';
import type { Pod, PodTerm, SpreadConstraint } from '../../src/core/cluster/pod.ts';
import {
  type Requirements,
  type RequirementTerm,
  termsOf,
} from '../../src/core/requirements/requirements.ts';

/** Whether the rules of the pod can be written so that an API server takes them. */
export function isWritable(pod: Pod): boolean {
  const terms = [...(pod.affinity ?? []), ...(pod.antiAffinity ?? [])];
  // A term that names no namespace means the pod's own, where that of a value means none.
  if (terms.some((term) => term.namespaces.length === 0 && term.namespaceSelector === undefined))
    return false;
  const spread = (pod.spread ?? []).map(({ topologyKey, isHard }) => `${topologyKey} ${isHard}`);
  return new Set(spread).size === spread.length;
}

/** The pod as people would write it: requests, ports, tolerations and all rules but preferences. */
export function manifestOf(pod: Pod, name: string): PodObject {
  const { pods: _, ...amounts } = pod.requests;
  const ports = pod.hostPorts.map(({ ip, port, protocol }) => ({
    containerPort: port,
    hostPort: port,
    protocol,
    ...(ip === '' ? {} : { hostIP: ip }),
  }));
  const requests = resourceListOf(amounts);
  return {
    metadata: { name, namespace: pod.namespace, labels: pod.labels },
    spec: {
      containers: [{ name: 'main', image: 'none', resources: { requests }, ports }],
      tolerations: pod.tolerations as NonNullable<PodObject['spec']['tolerations']>,
      affinity: affinityOf(pod),
      topologySpreadConstraints: (pod.spread ?? []).map(spreadOf),
    },
  };
}

function affinityOf(pod: Pod): NonNullable<PodObject['spec']['affinity']> {
  const alternatives = pod.nodeAlternatives;
  const isFree = alternatives.some((wanted) => wanted.size === 0);
  const nodeSelectorTerms = alternatives.map((wanted) => ({
    matchExpressions: writtenTerms(wanted),
  }));
  const required = (terms: readonly PodTerm[]) => ({
    requiredDuringSchedulingIgnoredDuringExecution: terms.map(termOf),
  });
  return {
    ...(isFree
      ? {}
      : {
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
        }),
    ...(pod.affinity === undefined ? {} : { podAffinity: required(pod.affinity) }),
    ...(pod.antiAffinity === undefined ? {} : { podAntiAffinity: required(pod.antiAffinity) }),
  };
}

type Expression = {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
};

/** What is asked of labels, as manifests put it. Pods know `Gt` and `Lt` alone, and no list without values. */
export function writtenTerms(
  wanted: Requirements,
): readonly (Expression & { values?: readonly string[] })[] {
  return termsOf(wanted).map(({ key, operator, values = [] }: RequirementTerm) => {
    const bound = Number(values[0]);
    if (operator === 'Gte') return { key, operator: 'Gt', values: [String(bound - 1)] };
    if (operator === 'Lte') return { key, operator: 'Lt', values: [String(bound + 1)] };
    if (operator === 'In' && values.length === 0) return { key, operator, values: ['nowhere'] };
    return values.length === 0 ? { key, operator } : { key, operator, values };
  });
}

function termOf({ topologyKey, selector, namespaces, namespaceSelector }: PodTerm) {
  return {
    topologyKey,
    namespaces,
    ...(selector === undefined ? {} : { labelSelector: selector }),
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
  };
}

function spreadOf(one: SpreadConstraint) {
  const { topologyKey, maxSkew, isHard, minDomains, selector } = one;
  return {
    topologyKey,
    maxSkew,
    whenUnsatisfiable: isHard ? ('DoNotSchedule' as const) : ('ScheduleAnyway' as const),
    nodeAffinityPolicy: one.honorsNodeAffinity ? ('Honor' as const) : ('Ignore' as const),
    nodeTaintsPolicy: one.honorsTaints ? ('Honor' as const) : ('Ignore' as const),
    ...(isHard && minDomains !== undefined ? { minDomains } : {}),
    ...(selector === undefined ? {} : { labelSelector: selector }),
  };
}
