import type { Rule } from './vocabulary.ts';

/** Which labels of the domain karpenter.k8s.aws a kind may name. */
export type AwsLabels = 'all' | 'of-instance-types';

/** Labels of where and how a machine was bought; the same instance type may have any of them. */
const purchaseLabels = [
  'instance-tenancy',
  'capacity-reservation-type',
  'capacity-reservation-id',
  'capacity-reservation-interruptible',
  'placement-group-id',
  'placement-group-partition',
];

const instanceTypeLabels = [
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
];

/** Rules on a label key; `key` is the CEL expression that holds it. */
export function labelKeyRules(key: string, aws: AwsLabels = 'all'): readonly Rule[] {
  const suffixes = aws === 'all' ? [...purchaseLabels, ...instanceTypeLabels] : instanceTypeLabels;
  const known = suffixes.map((suffix) => `'karpenter.k8s.aws/${suffix}'`).join(', ');
  return [
    {
      rule: `${key} in ['karpenter.sh/capacity-type', 'karpenter.sh/nodepool'] || ${outside(key, 'karpenter.sh')}`,
      message: "of the domain 'karpenter.sh' only 'karpenter.sh/capacity-type' may be used here",
    },
    {
      rule: `${key} != 'kubernetes.io/hostname'`,
      message: "'kubernetes.io/hostname' is set by the node itself and may not be used here",
    },
    {
      rule: `${key} in [${known}] || ${outside(key, 'karpenter.k8s.aws')}`,
      message:
        "of the domain 'karpenter.k8s.aws' only the labels that Karpenter sets on nodes may be used",
    },
  ];
}

/** A pool names its own nodes, so nobody may choose this label for them. */
export function nodePoolLabelRule(key: string): Rule {
  return {
    rule: `${key} != 'karpenter.sh/nodepool'`,
    message: "'karpenter.sh/nodepool' is set to the name of the pool and may not be used here",
  };
}

function outside(key: string, domain: string): string {
  return `!${key}.find('^([^/]+)').endsWith('${domain}')`;
}
