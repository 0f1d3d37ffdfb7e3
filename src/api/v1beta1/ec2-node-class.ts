import { amiFamilies } from '../karpenter/ec2/ami-terms.ts';
import { blockDeviceMappings } from '../karpenter/ec2/block-device-mapping.ts';
import { instanceTags } from '../karpenter/ec2/instance-settings.ts';
import {
  securityGroupSelectorTerms,
  selectorTags,
  subnetSelectorTerms,
} from '../karpenter/ec2/selector-terms.ts';
import { resolvedSecurityGroup, resolvedSubnet } from '../karpenter/ec2/status.ts';
import { plainConditionList } from '../schema/condition-list.ts';
import { resolvedRequirementList } from '../schema/requirement-list.ts';
import {
  defaulted,
  described,
  flag,
  int64,
  list,
  object,
  oneOf,
  optional,
  ruled,
  text,
} from '../schema/vocabulary.ts';

const amiTerm = object({
  tags: optional(selectorTags),
  id: optional(described('The id of one image.', text({ pattern: 'ami-[0-9a-z]+' }))),
  name: optional(described('The name of the image; `*` and `?` match.', text())),
  owner: optional(described('The owner of the image.', text())),
});

const amiSelectorTerms = ruled(
  described(
    'Which images machines boot. Without them the newest of the family.',
    list(amiTerm, { maxItems: 30 }),
  ),
  {
    rule: 'self.all(x, has(x.tags) || has(x.id) || has(x.name))',
    message: "every image selector term needs 'tags', 'id' or 'name'",
  },
  {
    rule: '!self.all(x, has(x.id) && (has(x.tags) || has(x.name) || has(x.owner)))',
    message: "an image selector term with 'id' can have no 'tags', 'name' or 'owner'",
  },
);

function setting<const V extends string>(value: V, others: V, sentence: string) {
  return optional(defaulted(value, described(sentence, oneOf([value, others]))));
}

const metadataOptions = defaulted(
  {
    httpEndpoint: 'enabled',
    httpProtocolIPv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: 'required',
  },
  described(
    'Who may reach the instance metadata service, and how.',
    object({
      httpEndpoint: setting<string>('enabled', 'disabled', 'Whether the service answers at all.'),
      httpProtocolIPv6: setting<string>('disabled', 'enabled', 'Whether it answers over IPv6.'),
      // Two where some option is given, one where none is: so it was in v1beta1.
      httpPutResponseHopLimit: optional(
        defaulted(
          2,
          described(
            'How many network hops a token may travel.',
            int64({ minimum: 1, maximum: 64 }),
          ),
        ),
      ),
      httpTokens: setting<string>('required', 'optional', 'Whether callers need a session token.'),
    }),
  ),
);

function nonEmpty(field: string, sentence: string) {
  const rule = { rule: "self != ''", message: `${field} may not be empty` };
  return optional(described(sentence, ruled(text(), rule)));
}

const spec = ruled(
  object({
    subnetSelectorTerms,
    securityGroupSelectorTerms,
    associatePublicIPAddress: optional(described('Whether machines get a public address.', flag())),
    amiSelectorTerms: optional(amiSelectorTerms),
    amiFamily: described(
      'How user data, block devices and the kubelet are set up.',
      oneOf([...amiFamilies, 'Ubuntu']),
    ),
    userData: optional(described('What machines run at boot.', text())),
    role: nonEmpty('role', 'The IAM role of machines; Karpenter makes its profile.'),
    instanceProfile: nonEmpty('instanceProfile', 'A profile that exists, instead of a role.'),
    tags: optional(instanceTags),
    blockDeviceMappings: optional(blockDeviceMappings),
    instanceStorePolicy: optional(
      described('`RAID0` joins the local disks into one that pods use.', oneOf(['RAID0'])),
    ),
    detailedMonitoring: optional(
      described('Whether CloudWatch gets a metric every minute.', flag()),
    ),
    metadataOptions: optional(metadataOptions),
    context: optional(described('The context that EC2 Fleet is asked with.', text())),
  }),
  {
    rule: "self.amiFamily != 'Custom' || (has(self.amiSelectorTerms) && self.amiSelectorTerms.size() != 0)",
    message: "amiFamily 'Custom' needs 'amiSelectorTerms'",
  },
  {
    rule: 'has(self.role) != has(self.instanceProfile)',
    message: "exactly one of 'role' and 'instanceProfile' is needed",
  },
);

const resolvedImage = object({
  id: described('Its id.', text()),
  name: optional(described('Its name.', text())),
  requirements: described('Which machines can boot it.', resolvedRequirementList),
});

const status = object({
  subnets: optional(described('The subnets found.', list(resolvedSubnet))),
  securityGroups: optional(described('The security groups found.', list(resolvedSecurityGroup))),
  amis: optional(described('The images found.', list(resolvedImage))),
  instanceProfile: optional(described('The instance profile that machines get.', text())),
  conditions: optional(plainConditionList()),
});

/** The EC2NodeClass of v1beta1. */
export const v1beta1Ec2NodeClassSchema = { spec, status };
