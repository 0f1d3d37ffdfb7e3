import {
  defaulted,
  described,
  int64,
  map,
  object,
  oneOf,
  optional,
  type Rule,
  ruled,
  text,
} from '../../schema/vocabulary.ts';

/** Settings of the machine itself: metadata service, processor, tags. */

const metadataDefaults = {
  httpEndpoint: 'enabled',
  httpProtocolIPv6: 'disabled',
  httpPutResponseHopLimit: 1,
  httpTokens: 'required',
};

export const metadataOptions = defaulted(
  metadataDefaults,
  described(
    'Who may reach the instance metadata service, and how.',
    object({
      httpEndpoint: optional(
        defaulted(
          metadataDefaults.httpEndpoint,
          described('Whether the service answers at all.', oneOf(['enabled', 'disabled'])),
        ),
      ),
      httpProtocolIPv6: optional(
        defaulted(
          metadataDefaults.httpProtocolIPv6,
          described('Whether it answers over IPv6.', oneOf(['enabled', 'disabled'])),
        ),
      ),
      httpPutResponseHopLimit: optional(
        defaulted(
          metadataDefaults.httpPutResponseHopLimit,
          described(
            'How many network hops a token may travel. Pods without the host network need 2.',
            int64({ minimum: 1, maximum: 64 }),
          ),
        ),
      ),
      httpTokens: optional(
        defaulted(
          metadataDefaults.httpTokens,
          described(
            'Whether callers need a session token (IMDSv2).',
            oneOf(['required', 'optional']),
          ),
        ),
      ),
    }),
  ),
);

export const cpuOptions = described(
  'Options of the processor.',
  object({
    nestedVirtualization: optional(
      described(
        'Whether machines may run virtual machines of their own.',
        oneOf(['enabled', 'disabled']),
      ),
    ),
  }),
);

const reservedTagKeys = [
  'eks:eks-cluster-name',
  'karpenter.sh/nodepool',
  'karpenter.sh/nodeclaim',
  'karpenter.k8s.aws/ec2nodeclass',
];

export const instanceTags = described(
  'Tags on everything that is made for a machine, beside those of Karpenter. `Name` may be set.',
  ruled(
    map(text()),
    { rule: "self.all(k, k != '')", message: 'a tag needs a key' },
    ...reservedTagKeys.map(tagIsOurs),
    {
      rule: "self.all(k, !k.startsWith('kubernetes.io/cluster'))",
      message: "tags that start with 'kubernetes.io/cluster' are set by Karpenter",
    },
  ),
);

function tagIsOurs(key: string): Rule {
  return { rule: `self.all(k, k != '${key}')`, message: `the tag '${key}' is set by Karpenter` };
}
