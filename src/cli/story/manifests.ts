import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import type { DaemonSetObject } from '../../api/kubernetes/core.ts';
import type { DeploymentObject } from '../../api/kubernetes/workload.ts';
import type { NewObject } from '../../api/resource.ts';

/** What an EKS cluster of the documents holds before the first pod asks for a node. */

/** The taint that keeps ordinary pods off the system nodes. */
export const systemTaint = {
  key: 'CriticalAddonsOnly',
  value: 'true',
  effect: 'NoSchedule',
} as const;

/** `kubectl create deploy NAME --replicas=N --image=nginx`: no requests at all. */
export function deployment(name: string, replicas: number): NewObject<DeploymentObject> {
  const labels = { app: name };
  return {
    metadata: { name, namespace: 'default', labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx' }] } },
    },
  };
}

export function coreDns(): NewObject<DeploymentObject> {
  const labels = { 'k8s-app': 'kube-dns' };
  return {
    metadata: { name: 'coredns', namespace: 'kube-system', labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          priorityClassName: 'system-cluster-critical',
          nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' },
          tolerations: [{ key: systemTaint.key, operator: 'Exists' }],
          containers: [
            {
              name: 'coredns',
              image: 'coredns',
              resources: { requests: { cpu: '100m', memory: '70Mi' } },
            },
          ],
        },
      },
    },
  };
}

/** The network plugin and the proxy that EKS puts on every node. */
export function nodeDaemons(): readonly NewObject<DaemonSetObject>[] {
  return [daemonSet('aws-node', '50m'), daemonSet('kube-proxy', '100m')];
}

function daemonSet(name: string, cpu: string): NewObject<DaemonSetObject> {
  const labels = { 'k8s-app': name };
  return {
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          priorityClassName: 'system-node-critical',
          tolerations: [{ operator: 'Exists' }],
          containers: [{ name, image: name, resources: { requests: { cpu } } }],
        },
      },
    },
  };
}

export function nodeClass(clusterName: string): NewObject<EC2NodeClass> {
  const tags = { 'karpenter.sh/discovery': clusterName };
  return {
    metadata: { name: 'default' },
    spec: {
      role: `KarpenterNodeRole-${clusterName}`,
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: [{ tags }],
      securityGroupSelectorTerms: [{ tags }],
    },
  };
}

/** Spot first, on-demand when spot has none: the heavier pool is tried first. */
export function pools(): readonly NewObject<NodePool>[] {
  return [pool('spot-pool', 'spot', 100), pool('ondemand-pool', 'on-demand', 10)];
}

function pool(
  name: string,
  capacityType: 'spot' | 'on-demand',
  weight: number,
): NewObject<NodePool> {
  return {
    metadata: { name },
    spec: {
      weight,
      limits: { cpu: '1000', memory: '4000Gi' },
      template: {
        metadata: { labels: { type: 'karpenter' } },
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [
            { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
            { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] },
            { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
            { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
          ],
        },
      },
      // A demonstration ends: all nodes may go at once when they are empty.
      disruption: {
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        consolidateAfter: '5s',
        budgets: [{ nodes: '100%' }],
      },
    },
  };
}
