import type { LabelSelector } from '../../core/cluster/label-selector.ts';
import type { Condition, KubeObject, Resource } from '../resource.ts';

/** The parts of the Kubernetes kinds that we read or write, under their own field names. */

export type ResourceList = Readonly<Record<string, string | number>>;

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly restartPolicy?: string;
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly ports?: readonly {
    readonly name?: string;
    readonly containerPort: number;
    readonly hostPort?: number;
    readonly hostIP?: string;
    readonly protocol?: string;
  }[];
}

export interface NodeSelectorExpression {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values?: readonly string[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorExpression[];
  readonly matchFields?: readonly NodeSelectorExpression[];
}

export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey: string;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly podAffinityTerm: PodAffinityTerm;
  }[];
}

export interface TaintObject {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly timeAdded?: string;
}

export interface TolerationObject {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal' | 'Gt' | 'Lt';
  readonly value?: string;
  readonly effect?: TaintObject['effect'];
  readonly tolerationSeconds?: number;
}

export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly matchLabelKeys?: readonly string[];
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore';
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore';
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly overhead?: ResourceList;
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: {
        readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
      };
      readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
        readonly weight: number;
        readonly preference: NodeSelectorTerm;
      }[];
    };
    readonly podAffinity?: PodAffinity;
    readonly podAntiAffinity?: PodAffinity;
  };
  readonly tolerations?: readonly TolerationObject[];
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean };
    readonly ephemeral?: { readonly volumeClaimTemplate?: object };
  }[];
  readonly resourceClaims?: readonly object[];
  readonly priority?: number;
  readonly priorityClassName?: string;
  readonly preemptionPolicy?: string;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly hostNetwork?: boolean;
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly serviceAccountName?: string;
}

/** What the kubelet reports of one container; resources differ from the spec during a resize. */
export interface ContainerStatus {
  readonly name?: string;
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly allocatedResources?: ResourceList;
  readonly [field: string]: unknown;
}

export interface PodObject extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: {
    readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
    readonly conditions?: readonly Condition[];
    readonly nominatedNodeName?: string;
    readonly startTime?: string;
    readonly podIP?: string;
    readonly hostIP?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    /** What the kubelet holds for the pod as a whole, while pod-level resources are resized. */
    readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
    readonly allocatedResources?: ResourceList;
  };
}

export interface NodeObject extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly taints?: readonly TaintObject[];
    readonly unschedulable?: boolean;
    readonly podCIDR?: string;
  };
  readonly status?: {
    readonly capacity?: ResourceList;
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly Condition[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo?: Readonly<Record<string, string>>;
  };
}

export interface NamespaceObject extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: 'Active' | 'Terminating' };
}

export interface ServiceObject extends KubeObject {
  /** Without a selector it selects nothing: somebody else writes where it leads. */
  readonly spec?: {
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly { readonly port: number }[];
  };
}

export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: PodSpec;
}

/** How many pods more or less than wanted a rollout may have: a count or a percentage. */
export interface RollingUpdate {
  readonly maxSurge?: string | number;
  readonly maxUnavailable?: string | number;
}

export interface DaemonSetObject extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly minReadySeconds?: number;
    readonly updateStrategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete';
      readonly rollingUpdate?: RollingUpdate;
    };
  };
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface PodDisruptionBudgetObject extends KubeObject {
  readonly spec: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: string | number;
    readonly maxUnavailable?: string | number;
    readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
  };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly expectedPods?: number;
    readonly observedGeneration?: number;
  };
}

export interface LeaseObject extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export interface EventObject extends KubeObject {
  readonly involvedObject: {
    readonly apiVersion?: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
  };
  readonly reason: string;
  readonly message: string;
  readonly type: 'Normal' | 'Warning';
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly source?: { readonly component?: string };
}

export interface VolumeAttachmentObject extends KubeObject {
  readonly spec: {
    readonly nodeName: string;
    readonly attacher?: string;
    readonly source?: { readonly persistentVolumeName?: string };
  };
}

export const pods: Resource<PodObject> = resource('/v1/pods', 'Pod', 'namespaced');
export const nodes: Resource<NodeObject> = resource('/v1/nodes', 'Node', 'cluster');
export const namespaces: Resource<NamespaceObject> = resource(
  '/v1/namespaces',
  'Namespace',
  'cluster',
);
export const services: Resource<ServiceObject> = resource('/v1/services', 'Service', 'namespaced');
export const events: Resource<EventObject> = resource('/v1/events', 'Event', 'namespaced');
export const daemonSets: Resource<DaemonSetObject> = resource(
  'apps/v1/daemonsets',
  'DaemonSet',
  'namespaced',
);
export const podDisruptionBudgets: Resource<PodDisruptionBudgetObject> = resource(
  'policy/v1/poddisruptionbudgets',
  'PodDisruptionBudget',
  'namespaced',
);
export const leases: Resource<LeaseObject> = resource(
  'coordination.k8s.io/v1/leases',
  'Lease',
  'namespaced',
);
export const volumeAttachments: Resource<VolumeAttachmentObject> = resource(
  'storage.k8s.io/v1/volumeattachments',
  'VolumeAttachment',
  'cluster',
);

/** Names a kind as `group/version/plural`, the core group being empty: `/v1/pods`. */
export function resource<T extends KubeObject>(
  path: string,
  kind: string,
  scope: 'namespaced' | 'cluster',
): Resource<T> {
  const [group = '', version = '', plural = ''] = path.split('/');
  return { group, version, plural, kind, isNamespaced: scope === 'namespaced' };
}
