import type { RequirementTerm } from '../../core/requirements/requirements.ts';
import { resource } from '../kubernetes/core.ts';
import type { Condition, KubeObject, Resource } from '../resource.ts';

export type Tags = Readonly<Record<string, string>>;

export interface BlockDeviceMapping {
  readonly deviceName?: string;
  readonly rootVolume?: boolean;
  readonly ebs?: {
    readonly deleteOnTermination?: boolean;
    readonly encrypted?: boolean;
    readonly iops?: number;
    readonly throughput?: number;
    readonly kmsKeyID?: string;
    readonly snapshotID?: string;
    readonly volumeInitializationRate?: number;
    readonly volumeSize?: string;
    readonly volumeType?: string;
  };
}

export interface KubeletSettings {
  readonly clusterDNS?: readonly string[];
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  readonly systemReserved?: Readonly<Record<string, string>>;
  readonly kubeReserved?: Readonly<Record<string, string>>;
  readonly evictionHard?: Readonly<Record<string, string>>;
  readonly evictionSoft?: Readonly<Record<string, string>>;
  readonly evictionSoftGracePeriod?: Readonly<Record<string, string>>;
  readonly evictionMaxPodGracePeriod?: number;
  readonly imageGCHighThresholdPercent?: number;
  readonly imageGCLowThresholdPercent?: number;
  readonly cpuCFSQuota?: boolean;
}

export type AmiFamily =
  | 'AL2'
  | 'AL2023'
  | 'Bottlerocket'
  | 'Custom'
  | 'Windows2019'
  | 'Windows2022'
  | 'Windows2025';

export interface EC2NodeClassSpec {
  readonly subnetSelectorTerms: readonly { readonly tags?: Tags; readonly id?: string }[];
  readonly securityGroupSelectorTerms: readonly {
    readonly tags?: Tags;
    readonly id?: string;
    readonly name?: string;
  }[];
  readonly amiSelectorTerms: readonly {
    readonly alias?: string;
    readonly tags?: Tags;
    readonly id?: string;
    readonly name?: string;
    readonly owner?: string;
    readonly ssmParameter?: string;
  }[];
  readonly amiFamily?: AmiFamily;
  readonly userData?: string;
  readonly role?: string;
  readonly instanceProfile?: string;
  readonly tags?: Tags;
  readonly kubelet?: KubeletSettings;
  readonly blockDeviceMappings?: readonly BlockDeviceMapping[];
  readonly instanceStorePolicy?: 'RAID0';
  readonly detailedMonitoring?: boolean;
  readonly associatePublicIPAddress?: boolean;
  readonly metadataOptions?: {
    readonly httpEndpoint?: 'enabled' | 'disabled';
    readonly httpProtocolIPv6?: 'enabled' | 'disabled';
    readonly httpPutResponseHopLimit?: number;
    readonly httpTokens?: 'required' | 'optional';
  };
  readonly context?: string;
}

export interface EC2NodeClassStatus {
  readonly subnets?: readonly {
    readonly id: string;
    readonly zone: string;
    readonly zoneID?: string;
  }[];
  readonly securityGroups?: readonly { readonly id: string; readonly name?: string }[];
  readonly amis?: readonly {
    readonly id: string;
    readonly name?: string;
    readonly deprecated?: boolean;
    readonly requirements: readonly RequirementTerm[];
  }[];
  readonly instanceProfile?: string;
  readonly conditions?: readonly Condition[];
}

/** How machines look on AWS: network, images, role, disks, kubelet. */
export interface EC2NodeClass extends KubeObject {
  readonly spec: EC2NodeClassSpec;
  readonly status?: EC2NodeClassStatus;
}

export const ec2NodeClasses: Resource<EC2NodeClass> = resource(
  'karpenter.k8s.aws/v1/ec2nodeclasses',
  'EC2NodeClass',
  'cluster',
);
