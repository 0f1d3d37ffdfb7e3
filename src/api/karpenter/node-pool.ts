import { resource } from '../kubernetes/core.ts';
import type { KubeObject, Resource } from '../resource.ts';
import {
  conditionList,
  durationOrNeverPattern,
  durationPattern,
  labelKeyRules,
  nodeClassRef,
  requirementList,
  taintList,
} from '../schema/karpenter-parts.ts';
import {
  defaulted,
  described,
  type Infer,
  int32,
  int64,
  list,
  map,
  object,
  oneOf,
  optional,
  resourceList,
  ruled,
  text,
} from '../schema/vocabulary.ts';

const budgetSchedule =
  '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$';

const budget = object({
  nodes: defaulted(
    '10%',
    described(
      'How many nodes may be disrupted at once: a count or a percentage.',
      text({ pattern: '^((100|[0-9]{1,2})%|[0-9]+)$' }),
    ),
  ),
  reasons: optional(
    list(oneOf(['Underutilized', 'Empty', 'Drifted']), {
      maxItems: 50,
      'x-kubernetes-list-type': 'set',
    }),
  ),
  schedule: optional(
    described('When the budget begins, as cron in UTC.', text({ pattern: budgetSchedule })),
  ),
  duration: optional(
    described(
      'How long it lasts from there.',
      text({ pattern: '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$' }),
    ),
  ),
});

const disruption = object({
  consolidateAfter: defaulted(
    '0s',
    described(
      'How long a node must be quiet before it is consolidated.',
      text({ pattern: durationOrNeverPattern }),
    ),
  ),
  consolidationPolicy: optional(
    defaulted(
      'WhenEmptyOrUnderutilized',
      oneOf(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced']),
    ),
  ),
  budgets: optional(
    defaulted(
      [{ nodes: '10%' }],
      ruled(list(budget, { maxItems: 50 }), {
        rule: 'self.all(x, has(x.schedule) == has(x.duration))',
        message: "'schedule' must be set with 'duration'",
      }),
    ),
  ),
});

const labelMap = ruled(
  map(text({ maxLength: 63, pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$' }), {
    maxProperties: 100,
    'x-kubernetes-map-type': 'atomic',
  }),
  ...labelKeyRules('x').map(({ rule, message }) => ({ rule: `self.all(x, ${rule})`, message })),
  {
    rule: "self.all(x, x != 'karpenter.sh/nodepool')",
    message: "label 'karpenter.sh/nodepool' is restricted",
  },
);

const template = object({
  metadata: optional(object({ labels: optional(labelMap), annotations: optional(map(text())) })),
  spec: object({
    requirements: requirementList([
      {
        rule: "self != 'karpenter.sh/nodepool'",
        message: "label 'karpenter.sh/nodepool' is restricted",
      },
    ]),
    taints: optional(taintList),
    startupTaints: optional(taintList),
    nodeClassRef: ruled(
      nodeClassRef,
      { rule: 'self.group == oldSelf.group', message: 'nodeClassRef.group is immutable' },
      { rule: 'self.kind == oldSelf.kind', message: 'nodeClassRef.kind is immutable' },
    ),
    terminationGracePeriod: optional(text({ pattern: durationPattern })),
    expireAfter: optional(defaulted('720h', text({ pattern: durationOrNeverPattern }))),
  }),
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
      described('The most that all nodes of the pool may add up to.', resourceList()),
    ),
    weight: optional(
      described('Heavier pools are tried first.', int32({ minimum: 1, maximum: 100 })),
    ),
    replicas: optional(
      described('A fixed number of nodes, whatever the pods.', int64({ minimum: 0 })),
    ),
  }),
  {
    rule: 'has(self.replicas) == has(oldSelf.replicas)',
    message: 'a pool cannot change between static and dynamic',
  },
  {
    rule: "!has(self.replicas) || (!has(self.limits) || size(self.limits) == 0 || (size(self.limits) == 1 && 'nodes' in self.limits))",
    message: "only 'limits.nodes' is supported on static NodePools",
  },
  {
    rule: '!has(self.replicas) || !has(self.weight)',
    message: "'weight' is not supported on static NodePools",
  },
);

const status = object({
  resources: optional(resourceList()),
  nodes: optional(defaulted(0, int64())),
  nodeClassObservedGeneration: optional(int64()),
  conditions: optional(conditionList('required')),
});

export const nodePoolSchema = { spec, status };

export type BudgetSpec = Infer<typeof budget>;
export type NodePoolSpec = Infer<typeof spec>;

/** What nodes may be bought, for whom, and how they may be disrupted. */
export interface NodePool extends KubeObject {
  readonly spec: NodePoolSpec;
  readonly status?: Infer<typeof status>;
}

export const nodePools: Resource<NodePool> = resource(
  'karpenter.sh/v1/nodepools',
  'NodePool',
  'cluster',
);
