import { resource } from '../kubernetes/core.ts';
import type { KubeObject, Resource } from '../resource.ts';
import { conditionList, resolvedRequirementList } from '../schema/karpenter-parts.ts';
import {
  defaulted,
  described,
  flag,
  type Infer,
  int32,
  int64,
  list,
  map,
  object,
  oneOf,
  optional,
  ruled,
  text,
} from '../schema/vocabulary.ts';
import { kubeletSettings } from './kubelet-settings.ts';

const tags = ruled(map(text(), { maxProperties: 20 }), {
  rule: "self.all(k, k != '' && self[k] != '')",
  message: 'empty tag keys or values are not supported',
});

const subnetTerm = object({
  tags: optional(tags),
  id: optional(text({ pattern: 'subnet-[0-9a-z]+' })),
});

const securityGroupTerm = object({
  tags: optional(tags),
  id: optional(text({ pattern: 'sg-[0-9a-z]+' })),
  name: optional(text()),
});

const amiTerm = object({
  alias: optional(
    ruled(text({ maxLength: 30, pattern: '^[a-zA-Z0-9]+@.+$' }), {
      rule: "self.split('@')[0] in ['al2', 'al2023', 'bottlerocket', 'windows2019', 'windows2022', 'windows2025']",
      message:
        "family is not supported, must be one of: 'al2', 'al2023', 'bottlerocket', 'windows2019', 'windows2022', 'windows2025'",
    }),
  ),
  tags: optional(tags),
  id: optional(text({ pattern: 'ami-[0-9a-z]+' })),
  name: optional(text()),
  owner: optional(text()),
  ssmParameter: optional(text()),
});

const volumeSize =
  '^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$';

const blockDeviceMapping = object({
  deviceName: optional(text()),
  rootVolume: optional(flag()),
  ebs: optional(
    ruled(
      object({
        deleteOnTermination: optional(flag()),
        encrypted: optional(flag()),
        iops: optional(int64()),
        throughput: optional(int64()),
        kmsKeyID: optional(text()),
        snapshotID: optional(text()),
        volumeInitializationRate: optional(int32({ minimum: 100, maximum: 300 })),
        volumeSize: optional(text({ pattern: volumeSize })),
        volumeType: optional(oneOf(['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3'])),
      }),
      {
        rule: 'has(self.snapshotID) || has(self.volumeSize)',
        message: 'snapshotID or volumeSize must be defined',
      },
    ),
  ),
});

const metadataDefaults = {
  httpEndpoint: 'enabled',
  httpProtocolIPv6: 'disabled',
  httpPutResponseHopLimit: 1,
  httpTokens: 'required',
};
const metadataOptions = defaulted(
  metadataDefaults,
  object({
    httpEndpoint: optional(defaulted('enabled', oneOf(['enabled', 'disabled']))),
    httpProtocolIPv6: optional(defaulted('disabled', oneOf(['enabled', 'disabled']))),
    httpPutResponseHopLimit: optional(defaulted(1, int64({ minimum: 1, maximum: 64 }))),
    httpTokens: optional(defaulted('required', oneOf(['required', 'optional']))),
  }),
);

const families = [
  'AL2',
  'AL2023',
  'Bottlerocket',
  'Custom',
  'Windows2019',
  'Windows2022',
  'Windows2025',
] as const;

const restrictedTags =
  "k == 'eks:eks-cluster-name' || k.startsWith('kubernetes.io/cluster') || k in ['karpenter.sh/nodepool', 'karpenter.sh/nodeclaim', 'karpenter.k8s.aws/ec2nodeclass']";

const spec = ruled(
  object({
    subnetSelectorTerms: ruled(
      described(
        'Where machines get their network; a subnet is used when any term matches it.',
        list(subnetTerm, { maxItems: 30 }),
      ),
      { rule: 'self.size() != 0', message: 'subnetSelectorTerms cannot be empty' },
      {
        rule: 'self.all(x, has(x.tags) || has(x.id))',
        message: "expected at least one, got none, ['tags', 'id']",
      },
      {
        rule: '!self.all(x, has(x.id) && has(x.tags))',
        message:
          "'id' is mutually exclusive, cannot be set with a combination of other fields in a subnet selector term",
      },
    ),
    securityGroupSelectorTerms: ruled(
      list(securityGroupTerm, { maxItems: 30 }),
      { rule: 'self.size() != 0', message: 'securityGroupSelectorTerms cannot be empty' },
      {
        rule: 'self.all(x, has(x.tags) || has(x.id) || has(x.name))',
        message: "expected at least one, got none, ['tags', 'id', 'name']",
      },
    ),
    amiSelectorTerms: ruled(
      described(
        'Which images machines boot; `alias: al2023@latest` follows the recommended one.',
        list(amiTerm, { minItems: 1, maxItems: 30 }),
      ),
      {
        rule: 'self.all(x, has(x.tags) || has(x.id) || has(x.name) || has(x.alias) || has(x.ssmParameter))',
        message: "expected at least one, got none, ['tags', 'id', 'name', 'alias', 'ssmParameter']",
      },
      {
        rule: '!self.exists(x, has(x.id) && (has(x.alias) || has(x.tags) || has(x.name) || has(x.owner)))',
        message:
          "'id' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms",
      },
      {
        rule: '!self.exists(x, has(x.alias) && (has(x.id) || has(x.tags) || has(x.name) || has(x.owner)))',
        message:
          "'alias' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms",
      },
      {
        rule: '!(self.exists(x, has(x.alias)) && self.size() != 1)',
        message:
          "'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms",
      },
    ),
    amiFamily: optional(oneOf(families)),
    userData: optional(text()),
    role: optional(ruled(text(), { rule: "self != ''", message: 'role cannot be empty' })),
    instanceProfile: optional(
      ruled(text(), { rule: "self != ''", message: 'instanceProfile cannot be empty' }),
    ),
    tags: optional(
      ruled(
        map(text()),
        { rule: "self.all(k, k != '')", message: "empty tag keys aren't supported" },
        {
          rule: `!self.exists(k, ${restrictedTags})`,
          message: 'tag contains a key that Karpenter sets itself',
        },
      ),
    ),
    kubelet: optional(kubeletSettings),
    blockDeviceMappings: optional(
      ruled(list(blockDeviceMapping, { maxItems: 50 }), {
        rule: 'self.filter(x, has(x.rootVolume) ? x.rootVolume == true : false).size() <= 1',
        message: 'must have only one blockDeviceMappings with rootVolume',
      }),
    ),
    instanceStorePolicy: optional(oneOf(['RAID0'])),
    detailedMonitoring: optional(flag()),
    associatePublicIPAddress: optional(flag()),
    metadataOptions: optional(metadataOptions),
    context: optional(text()),
  }),
  {
    rule: 'has(self.role) != has(self.instanceProfile)',
    message: "must specify exactly one of ['role', 'instanceProfile']",
  },
  {
    rule: 'has(self.amiFamily) || self.amiSelectorTerms.exists(x, has(x.alias))',
    message: 'must specify amiFamily if amiSelectorTerms does not contain an alias',
  },
);

const status = object({
  subnets: optional(list(object({ id: text(), zone: text(), zoneID: optional(text()) }))),
  securityGroups: optional(list(object({ id: text(), name: optional(text()) }))),
  amis: optional(
    list(
      object({
        id: text(),
        name: optional(text()),
        deprecated: optional(flag()),
        requirements: resolvedRequirementList,
      }),
    ),
  ),
  instanceProfile: optional(text()),
  conditions: optional(conditionList('required')),
});

export const ec2NodeClassSchema = { spec, status };

export type Tags = Readonly<Record<string, string>>;
export type AmiFamily = (typeof families)[number];
export type BlockDeviceMapping = Infer<typeof blockDeviceMapping>;
export type EC2NodeClassSpec = Infer<typeof spec>;
export type EC2NodeClassStatus = Infer<typeof status>;

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
