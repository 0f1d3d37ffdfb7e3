import type { RequirementTerm } from '../../core/requirements/requirements.ts';
import type { ResourceList, TaintObject } from '../kubernetes/core.ts';
import { resource } from '../kubernetes/core.ts';
import type { Condition, KubeObject, Resource } from '../resource.ts';
import type { DurationText, NodeClassRef } from './node-claim.ts';

export interface BudgetSpec {
  readonly nodes: string;
  readonly reasons?: readonly ('Empty' | 'Underutilized' | 'Drifted')[];
  readonly schedule?: string;
  readonly duration?: string;
}

export interface NodePoolSpec {
  readonly template: {
    readonly metadata?: {
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly spec: {
      readonly requirements: readonly RequirementTerm[];
      readonly taints?: readonly TaintObject[];
      readonly startupTaints?: readonly TaintObject[];
      readonly nodeClassRef: NodeClassRef;
      readonly terminationGracePeriod?: DurationText;
      readonly expireAfter?: DurationText;
    };
  };
  readonly disruption?: {
    readonly consolidateAfter?: DurationText;
    readonly consolidationPolicy?: 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | 'Balanced';
    readonly budgets?: readonly BudgetSpec[];
  };
  readonly limits?: ResourceList;
  readonly weight?: number;
  readonly replicas?: number;
}

/** What nodes may be bought, for whom, and how they may be disrupted. */
export interface NodePool extends KubeObject {
  readonly spec: NodePoolSpec;
  readonly status?: {
    readonly resources?: ResourceList;
    readonly nodes?: number;
    readonly nodeClassObservedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
}

export const nodePools: Resource<NodePool> = resource(
  'karpenter.sh/v1/nodepools',
  'NodePool',
  'cluster',
);
