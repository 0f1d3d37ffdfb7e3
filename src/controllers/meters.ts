import type { NodeClaim } from '../api/karpenter/node-claim.ts';
import { labels } from '../core/requirements/well-known.ts';
import type { Counter, Gauge, Histogram, Metrics } from '../ports/metrics.ts';

/** The numbers that the loops keep, under the names that dashboards of Karpenter know. */
export interface Meters {
  readonly claimsCreated: Counter;
  readonly claimsDisrupted: Counter;
  readonly claimsTerminated: Counter;
  readonly nodesCreated: Counter;
  readonly nodesDrained: Counter;
  readonly nodesTerminated: Counter;
  readonly podsEvicted: Counter;
  readonly podsDrained: Counter;
  readonly podsUnschedulable: Gauge;
  readonly podsIgnored: Gauge;
  readonly schedulingSeconds: Histogram;
  readonly poolUsage: Gauge;
  readonly poolLimit: Gauge;
  readonly nodeCount: Gauge;
  readonly disruptionDecisions: Counter;
}

export function createMeters(metrics: Metrics): Meters {
  return { ...claimMeters(metrics), ...nodeMeters(metrics), ...planMeters(metrics) };
}

/** The labels by which claims and nodes are counted. */
export function poolLabel(claim: NodeClaim): { readonly nodepool: string } {
  return { nodepool: claim.metadata.labels?.[labels.nodePool] ?? '' };
}

type ClaimMeters = Pick<Meters, 'claimsCreated' | 'claimsDisrupted' | 'claimsTerminated'>;

function claimMeters(metrics: Metrics): ClaimMeters {
  return {
    claimsCreated: metrics.counter({
      name: 'karpenter_nodeclaims_created_total',
      help: 'NodeClaims created, by reason and pool',
      labels: ['reason', 'nodepool', 'min_values_relaxed'],
    }),
    claimsDisrupted: metrics.counter({
      name: 'karpenter_nodeclaims_disrupted_total',
      help: 'NodeClaims given up, by reason and pool',
      labels: ['reason', 'nodepool', 'capacity_type'],
    }),
    claimsTerminated: metrics.counter({
      name: 'karpenter_nodeclaims_terminated_total',
      help: 'NodeClaims whose machine is gone',
      labels: ['nodepool', 'capacity_type', 'zone'],
    }),
  };
}

type NodeMeters = Pick<
  Meters,
  'nodesCreated' | 'nodesDrained' | 'nodesTerminated' | 'podsEvicted' | 'podsDrained' | 'nodeCount'
>;

function nodeMeters(metrics: Metrics): NodeMeters {
  return {
    nodesCreated: metrics.counter({
      name: 'karpenter_nodes_created_total',
      help: 'Nodes that registered',
      labels: ['nodepool', 'zone'],
    }),
    nodesDrained: metrics.counter({
      name: 'karpenter_nodes_drained_total',
      help: 'Nodes drained',
      labels: ['nodepool'],
    }),
    nodesTerminated: metrics.counter({
      name: 'karpenter_nodes_terminated_total',
      help: 'Nodes removed',
      labels: ['nodepool', 'zone'],
    }),
    podsEvicted: metrics.counter({
      name: 'karpenter_pods_eviction_requests_total',
      help: 'Evictions asked for, by the code of the answer',
      labels: ['code'],
    }),
    podsDrained: metrics.counter({
      name: 'karpenter_pods_drained_total',
      help: 'Pods evicted from leaving nodes',
      labels: ['reason'],
    }),
    nodeCount: metrics.gauge({
      name: 'karpenter_cluster_state_node_count',
      help: 'Nodes in the cluster state',
    }),
  };
}

type PlanMeters = Omit<Meters, keyof ClaimMeters | keyof NodeMeters>;

function planMeters(metrics: Metrics): PlanMeters {
  return {
    podsUnschedulable: metrics.gauge({
      name: 'karpenter_scheduler_unschedulable_pods_count',
      help: 'Pods that the last plan found no place for',
      labels: ['controller'],
    }),
    podsIgnored: metrics.gauge({
      name: 'karpenter_scheduler_ignored_pods_count',
      help: 'Pods that the last plan could not read',
    }),
    schedulingSeconds: metrics.histogram({
      name: 'karpenter_scheduler_scheduling_duration_seconds',
      help: 'How long a plan took',
      labels: ['controller'],
      buckets: [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    }),
    poolUsage: metrics.gauge({
      name: 'karpenter_nodepools_usage',
      help: 'What the nodes of a pool add up to',
      labels: ['resource_type', 'nodepool'],
    }),
    poolLimit: metrics.gauge({
      name: 'karpenter_nodepools_limit',
      help: 'What the nodes of a pool may add up to',
      labels: ['resource_type', 'nodepool'],
    }),
    disruptionDecisions: metrics.counter({
      name: 'karpenter_voluntary_disruption_decisions_total',
      help: 'Disruptions begun, by reason',
      labels: ['decision', 'reason', 'consolidation_type'],
    }),
  };
}
