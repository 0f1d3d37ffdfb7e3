import type { PodAffinityTerm, PodObject } from '../../../api/kubernetes/core.ts';
import { keyOf } from '../../../api/resource.ts';
import type { Resources } from '../../../core/quantity/resources.ts';
import { isTerminating } from '../pod-state.ts';
import { requestsOf } from './pod-requests.ts';

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

/** A pod with what the rules ask of it, worked out once. */
export interface SchedulingPod {
  readonly key: string;
  readonly object: PodObject;
  readonly priority: number;
  readonly requests: Resources;
  readonly hostPorts: readonly HostPort[];
  readonly antiAffinity: readonly PodAffinityTerm[];
  /** Equal for pods that refuse the same company; empty for those that refuse none. */
  readonly refusal: string;
  readonly peers: PeerGroup;
}

/** Pods that no label selector can tell apart; counted per node instead of one by one. */
export interface PeerGroup {
  readonly id: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly isTerminating: boolean;
}

export function schedulingPod(object: PodObject): SchedulingPod {
  const anti = object.spec.affinity?.podAntiAffinity;
  const antiAffinity = anti?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const refusal = JSON.stringify([object.metadata.namespace, antiAffinity]);
  return {
    key: keyOf(object),
    object,
    priority: object.spec.priority ?? 0,
    requests: requestsOf(object),
    hostPorts: hostPortsOf(object),
    antiAffinity,
    refusal: antiAffinity.length === 0 ? '' : refusal,
    peers: peerGroupOf(object),
  };
}

function peerGroupOf(pod: PodObject): PeerGroup {
  const namespace = pod.metadata.namespace ?? '';
  const labels = pod.metadata.labels ?? {};
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const leaving = isTerminating(pod);
  const id = `${namespace} ${leaving ? 'leaving' : 'staying'} ${pairs.sort().join(',')}`;
  return { id, namespace, labels, isTerminating: leaving };
}

function hostPortsOf(pod: PodObject): readonly HostPort[] {
  const sidecars = (pod.spec.initContainers ?? []).filter((c) => c.restartPolicy === 'Always');
  const ports: HostPort[] = [];
  for (const container of [...pod.spec.containers, ...sidecars]) {
    for (const port of container.ports ?? []) {
      const hostPort = port.hostPort ?? (pod.spec.hostNetwork ? port.containerPort : 0);
      if (hostPort <= 0) continue;
      ports.push({
        ip: port.hostIP || '0.0.0.0',
        protocol: port.protocol ?? 'TCP',
        port: hostPort,
      });
    }
  }
  return ports;
}
