import type { Operator } from '../../core/requirements/requirements.ts';
import {
  dateTime,
  described,
  int64,
  integer,
  list,
  type OpenApi,
  object,
  oneOf,
  optional,
  type Rule,
  ruled,
  text,
} from './vocabulary.ts';

/** Parts that NodePool, NodeClaim and EC2NodeClass have in common. */

export const durationPattern = '^([0-9]+(s|m|h))+$';
export const durationOrNeverPattern = '^(([0-9]+(s|m|h))+|Never)$';

const qualifiedName =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$';

/** Suffixes that users may write in the domain karpenter.k8s.aws. */
const awsLabelSuffixes = [
  'instance-tenancy',
  'capacity-reservation-type',
  'capacity-reservation-id',
  'capacity-reservation-interruptible',
  'ec2nodeclass',
  'instance-encryption-in-transit-supported',
  'instance-category',
  'instance-hypervisor',
  'instance-family',
  'instance-generation',
  'instance-local-nvme',
  'instance-size',
  'instance-cpu',
  'instance-cpu-manufacturer',
  'instance-cpu-sustained-clock-speed-mhz',
  'instance-memory',
  'instance-ebs-bandwidth',
  'instance-network-bandwidth',
  'instance-gpu-name',
  'instance-gpu-manufacturer',
  'instance-gpu-count',
  'instance-gpu-memory',
  'instance-accelerator-name',
  'instance-accelerator-manufacturer',
  'instance-accelerator-count',
  'instance-capability-flex',
  'placement-group-id',
  'placement-group-partition',
];

/** Rules on a label key; `key` is the CEL expression that holds it. */
export function labelKeyRules(key: string): readonly Rule[] {
  const aws = awsLabelSuffixes.map((suffix) => `'karpenter.k8s.aws/${suffix}'`).join(', ');
  return [
    {
      rule: `${key} in ['karpenter.sh/capacity-type', 'karpenter.sh/nodepool'] || !${key}.find('^([^/]+)').endsWith('karpenter.sh')`,
      message: "label domain 'karpenter.sh' is restricted to karpenter.sh/capacity-type",
    },
    {
      rule: `${key} != 'kubernetes.io/hostname'`,
      message: "label 'kubernetes.io/hostname' is set by the node itself",
    },
    {
      rule: `${key} in [${aws}] || !${key}.find('^([^/]+)').endsWith('karpenter.k8s.aws')`,
      message: "label domain 'karpenter.k8s.aws' holds only the labels that Karpenter sets itself",
    },
  ];
}

const operators: readonly Operator[] = [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
  'Gt',
  'Lt',
  'Gte',
  'Lte',
];

const bounded = "x.operator in ['Gt', 'Lt', 'Gte', 'Lte']";

/** Requirements that we wrote ourselves, in a status: their shape alone is checked. */
export const resolvedRequirementList = list(
  object({
    key: text(),
    operator: oneOf(operators),
    values: optional(list(text())),
    minValues: optional(integer()),
  }),
);

/** The list of requirements on node labels. `extraKeyRules` are added to each key's own. */
export function requirementList(extraKeyRules: readonly Rule[] = []) {
  const item = object({
    key: ruled(
      text({ maxLength: 316, pattern: qualifiedName }),
      ...labelKeyRules('self'),
      ...extraKeyRules,
    ),
    operator: oneOf(operators),
    values: optional(list(text({ maxLength: 63 }), { 'x-kubernetes-list-type': 'atomic' })),
    minValues: optional(integer({ minimum: 1, maximum: 50 })),
  });
  return ruled(
    described(
      'What the labels of a node must be. All requirements hold at once.',
      list(item, { maxItems: 100, 'x-kubernetes-list-type': 'atomic' }),
    ),
    {
      rule: "self.all(x, x.operator == 'In' ? (has(x.values) && x.values.size() != 0) : true)",
      message: "requirements with operator 'In' must have a value defined",
    },
    {
      rule: `self.all(x, ${bounded} ? (has(x.values) && x.values.size() == 1 && int(x.values[0]) >= 0) : true)`,
      message:
        "requirements operator 'Gt', 'Lt', 'Gte' or 'Lte' must have a single positive integer value",
    },
    {
      rule: "self.all(x, (x.operator == 'In' && has(x.minValues)) ? x.values.size() >= x.minValues : true)",
      message: "requirements with 'minValues' must have at least that many values",
    },
  );
}

const taint = object({
  key: text({ minLength: 1, pattern: qualifiedName }),
  value: optional(text({ pattern: qualifiedName })),
  effect: oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  timeAdded: optional(dateTime()),
});

export const taintList = list(taint, { 'x-kubernetes-list-type': 'atomic' });

export const nodeClassRef = described(
  'The object that says how machines look on this cloud.',
  object({
    group: ruled(text({ pattern: '^[^/]*$' }), {
      rule: "self != ''",
      message: 'group may not be empty',
    }),
    kind: ruled(text(), { rule: "self != ''", message: 'kind may not be empty' }),
    name: ruled(text(), { rule: "self != ''", message: 'name may not be empty' }),
  }),
);

/** Status conditions; NodeClaims may leave the reason empty, all others must give one. */
export function conditionList(reason: 'may-be-empty' | 'required') {
  const conditionType =
    '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';
  const strict: OpenApi = {
    minLength: 1,
    maxLength: 1024,
    pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
  };
  const loose: OpenApi = {
    maxLength: 1024,
    pattern: '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$',
  };
  return list(
    object({
      type: text({ maxLength: 316, pattern: conditionType }),
      status: oneOf(['True', 'False', 'Unknown']),
      lastTransitionTime: optional(dateTime()),
      reason: optional(text(reason === 'required' ? strict : loose)),
      message: optional(text({ maxLength: 32768 })),
      observedGeneration: optional(int64({ minimum: 0 })),
    }),
  );
}
