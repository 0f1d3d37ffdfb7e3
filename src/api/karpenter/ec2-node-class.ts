import { resource } from '../kubernetes/core.ts';
import type { KubeObject, Resource } from '../resource.ts';
import {
  described,
  flag,
  type Infer,
  int32,
  object,
  oneOf,
  optional,
  ruled,
  text,
} from '../schema/vocabulary.ts';
import { type amiFamilies, amiFamily, amiRules, amiSelectorTerms } from './ec2/ami-terms.ts';
import { type blockDeviceMapping, blockDeviceMappings } from './ec2/block-device-mapping.ts';
import { cpuOptions, instanceTags, metadataOptions } from './ec2/instance-settings.ts';
import {
  connectionTracking,
  type networkInterface,
  networkInterfaces,
} from './ec2/network-settings.ts';
import {
  capacityReservationSelectorTerms,
  placementGroupSelector,
  securityGroupSelectorTerms,
  subnetSelectorTerms,
} from './ec2/selector-terms.ts';
import {
  ec2NodeClassStatus,
  type resolvedCapacityReservation,
  type resolvedImage,
  type resolvedSecurityGroup,
  type resolvedSubnet,
} from './ec2/status.ts';
import { kubeletSettings } from './kubelet-settings.ts';

const spec = ruled(
  object({
    subnetSelectorTerms,
    securityGroupSelectorTerms,
    capacityReservationSelectorTerms: optional(capacityReservationSelectorTerms),
    placementGroupSelector: optional(placementGroupSelector),
    associatePublicIPAddress: optional(
      described('Whether machines get a public address. Without it the subnet decides.', flag()),
    ),
    ipPrefixCount: optional(
      described('How many address prefixes the first interface gets.', int32({ minimum: 0 })),
    ),
    amiSelectorTerms,
    amiFamily: optional(amiFamily),
    userData: optional(
      described('What machines run at boot, merged with what the image family needs.', text()),
    ),
    role: optional(nonEmpty('role', 'The IAM role of machines; Karpenter makes its profile.')),
    instanceProfile: optional(
      nonEmpty('instanceProfile', 'An instance profile that exists, instead of a role.'),
    ),
    tags: optional(instanceTags),
    kubelet: optional(kubeletSettings),
    blockDeviceMappings: optional(blockDeviceMappings),
    instanceStorePolicy: optional(
      described('`RAID0` joins the local disks into one that pods use.', oneOf(['RAID0'])),
    ),
    networkInterfaces: optional(networkInterfaces),
    detailedMonitoring: optional(
      described('Whether CloudWatch gets a metric every minute.', flag()),
    ),
    metadataOptions: optional(metadataOptions),
    connectionTracking: optional(connectionTracking),
    context: optional(described('The context that EC2 Fleet is asked with.', text())),
    cpuOptions: optional(cpuOptions),
  }),
  {
    rule: 'has(self.role) != has(self.instanceProfile)',
    message: "exactly one of 'role' and 'instanceProfile' is needed",
  },
  ...amiRules,
);

function nonEmpty(field: string, sentence: string) {
  return described(
    sentence,
    ruled(text(), { rule: "self != ''", message: `${field} may not be empty` }),
  );
}

export const ec2NodeClassSchema = { spec, status: ec2NodeClassStatus };

export type Tags = Readonly<Record<string, string>>;
export type AmiFamily = (typeof amiFamilies)[number];
export type BlockDeviceMapping = Infer<typeof blockDeviceMapping>;
export type NetworkInterface = Infer<typeof networkInterface>;
export type EC2NodeClassSpec = Infer<typeof spec>;
export type EC2NodeClassStatus = Infer<typeof ec2NodeClassStatus>;
export type ResolvedSubnet = Infer<typeof resolvedSubnet>;
export type ResolvedSecurityGroup = Infer<typeof resolvedSecurityGroup>;
export type ResolvedImage = Infer<typeof resolvedImage>;
export type ResolvedCapacityReservation = Infer<typeof resolvedCapacityReservation>;

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
