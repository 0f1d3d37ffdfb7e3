import type { LabelSelector } from '../../core/cluster/label-selector.ts';
import type { Condition, KubeObject, Resource } from '../resource.ts';
import { type PodTemplate, type RollingUpdate, resource } from './core.ts';

/** The kinds that keep pods running, under their own field names. DaemonSets are in the core. */

export interface DeploymentObject extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly strategy?: {
      readonly type?: 'RollingUpdate' | 'Recreate';
      readonly rollingUpdate?: RollingUpdate;
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly progressDeadlineSeconds?: number;
    readonly paused?: boolean;
  };
  readonly status?: DeploymentStatus;
}

/** A condition that also says when it was last looked at. */
export interface WorkloadCondition extends Condition {
  readonly lastUpdateTime?: string;
}

export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly conditions?: readonly WorkloadCondition[];
}

export interface ReplicaSetObject extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
  };
  readonly status?: {
    readonly replicas?: number;
    readonly fullyLabeledReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly observedGeneration?: number;
  };
}

export interface StatefulSetObject extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly serviceName?: string;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly podManagementPolicy?: 'OrderedReady' | 'Parallel';
    readonly minReadySeconds?: number;
    readonly ordinals?: { readonly start?: number };
    readonly updateStrategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete';
      readonly rollingUpdate?: { readonly partition?: number };
    };
  };
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface JobObject extends KubeObject {
  readonly spec: {
    readonly parallelism?: number;
    readonly completions?: number;
    readonly backoffLimit?: number;
    readonly completionMode?: 'NonIndexed' | 'Indexed';
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly suspend?: boolean;
    readonly selector?: LabelSelector;
    readonly template: PodTemplate;
  };
  readonly status?: JobStatus;
}

export interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly conditions?: readonly Condition[];
  readonly [field: string]: unknown;
}

/** A pod template of its own, for those who refer to one by name. */
export interface PodTemplateObject extends KubeObject {
  readonly template: PodTemplate;
}

interface ServiceAccountObject extends KubeObject {
  readonly automountServiceAccountToken?: boolean;
}

export const deployments: Resource<DeploymentObject> = resource(
  'apps/v1/deployments',
  'Deployment',
  'namespaced',
);
export const replicaSets: Resource<ReplicaSetObject> = resource(
  'apps/v1/replicasets',
  'ReplicaSet',
  'namespaced',
);
export const statefulSets: Resource<StatefulSetObject> = resource(
  'apps/v1/statefulsets',
  'StatefulSet',
  'namespaced',
);
export const jobs: Resource<JobObject> = resource('batch/v1/jobs', 'Job', 'namespaced');
export const podTemplates: Resource<PodTemplateObject> = resource(
  '/v1/podtemplates',
  'PodTemplate',
  'namespaced',
);
export const serviceAccounts: Resource<ServiceAccountObject> = resource(
  '/v1/serviceaccounts',
  'ServiceAccount',
  'namespaced',
);
