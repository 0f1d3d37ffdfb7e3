import { resource } from '../kubernetes/core.ts';
import type { KubeObject, Resource } from '../resource.ts';
import { conditionList } from '../schema/condition-list.ts';
import { lifetimeFields, nodeClassRef, taintFields } from '../schema/karpenter-parts.ts';
import { labelKeyRules, nodePoolLabelRule } from '../schema/label-keys.ts';
import { labelValuePattern } from '../schema/patterns.ts';
import { poolRequirements } from '../schema/requirement-list.ts';
import {
  defaulted,
  described,
  type Infer,
  int32,
  int64,
  map,
  object,
  optional,
  type Rule,
  resourceList,
  ruled,
  text,
} from '../schema/vocabulary.ts';
import { type budget, disruption } from './node-pool-disruption.ts';

function ofEveryKey({ rule, message }: Rule): Rule {
  return { rule: `self.all(x, ${rule})`, message };
}

const labels = ruled(
  described(
    'Labels that every node of the pool gets.',
    map(text({ maxLength: 63, pattern: labelValuePattern }), {
      maxProperties: 100,
      'x-kubernetes-map-type': 'atomic',
    }),
  ),
  ...[...labelKeyRules('x'), nodePoolLabelRule('x')].map(ofEveryKey),
);

const annotations = described(
  'Annotations that every node of the pool gets.',
  map(text(), { 'x-kubernetes-map-type': 'granular' }),
);

const template = object({
  metadata: optional(
    described(
      'What nodes of this pool are called and marked.',
      object({ labels: optional(labels), annotations: optional(annotations) }),
    ),
  ),
  spec: described(
    'What machines the pool may buy.',
    object({
      requirements: poolRequirements(),
      ...taintFields,
      nodeClassRef: ruled(
        nodeClassRef,
        { rule: 'self.group == oldSelf.group', message: 'nodeClassRef.group cannot change' },
        { rule: 'self.kind == oldSelf.kind', message: 'nodeClassRef.kind cannot change' },
      ),
      ...lifetimeFields,
    }),
  ),
});

const spec = ruled(
  object({
    template: described('What every node of this pool is made from.', template),
    disruption: optional(
      defaulted(
        { consolidateAfter: '0s' },
        described('When and how fast nodes may be disrupted.', disruption),
      ),
    ),
    limits: optional(
      described(
        'The most that all nodes of the pool may add up to; `nodes` counts the nodes.',
        resourceList(),
      ),
    ),
    weight: optional(
      described('Heavier pools are tried first.', int32({ minimum: 1, maximum: 100 })),
    ),
    replicas: optional(
      described(
        'A fixed number of nodes, whatever the pods. A pool has it from its creation, or never.',
        int64({ minimum: 0 }),
      ),
    ),
  }),
  {
    rule: 'has(self.replicas) == has(oldSelf.replicas)',
    message: "'replicas' can be neither added to a pool nor taken from it",
  },
  {
    rule: "!has(self.replicas) || !has(self.limits) || size(self.limits) == 0 || (size(self.limits) == 1 && 'nodes' in self.limits)",
    message: "a pool with 'replicas' can limit 'nodes' and nothing else",
  },
  {
    rule: '!has(self.replicas) || !has(self.weight)',
    message: "a pool with 'replicas' can have no 'weight'",
  },
);

const status = object({
  resources: optional(described('What all nodes of the pool add up to.', resourceList())),
  nodes: optional(defaulted(0, described('How many nodes the pool has.', int64()))),
  nodeClassObservedGeneration: optional(
    described('The generation of the node class that registration was last judged with.', int64()),
  ),
  conditions: optional(conditionList()),
});

export const nodePoolSchema = { spec, status };

export type BudgetSpec = Infer<typeof budget>;
export type NodePoolSpec = Infer<typeof spec>;
export type NodePoolStatus = Infer<typeof status>;

/** What nodes may be bought, for whom, and how they may be disrupted. */
export interface NodePool extends KubeObject {
  readonly spec: NodePoolSpec;
  readonly status?: NodePoolStatus;
}

export const nodePools: Resource<NodePool> = resource(
  'karpenter.sh/v1/nodepools',
  'NodePool',
  'cluster',
);
