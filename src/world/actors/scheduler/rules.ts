import type { Rule } from './rule.ts';
import { guardedDomains } from './rules/guarded-domains.ts';
import { hostPorts } from './rules/host-ports.ts';
import { namedNodes } from './rules/named-nodes.ts';
import { nodeAffinity } from './rules/node-affinity.ts';
import { nodeName } from './rules/node-name.ts';
import { podAffinity } from './rules/pod-affinity.ts';
import { podAntiAffinity } from './rules/pod-anti-affinity.ts';
import { resources } from './rules/resources.ts';
import { taints } from './rules/taints.ts';
import { topologySpread } from './rules/topology-spread.ts';
import { unschedulable } from './rules/unschedulable.ts';
import { volumeZone } from './rules/volume-zone.ts';

/**
 * Every hard constraint, in the order in which kube-scheduler asks them. The order shows: a node
 * is counted in the pod's message under the first rule that rejects it.
 */
export const rules: readonly Rule[] = [
  namedNodes,
  unschedulable,
  nodeName,
  taints,
  nodeAffinity,
  hostPorts,
  resources,
  volumeZone,
  topologySpread,
  podAffinity,
  podAntiAffinity,
  guardedDomains,
];
