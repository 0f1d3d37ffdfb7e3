import fc from 'fast-check';

/** Random objects of both versions, with every field that each version of 1.0 has. */

const word = fc.constantFrom('a', 'team', '<b>&"quoted"', 'ünïcode 漢字', 'x y');
const key = fc.constantFrom('a', 'b.example.com/c', 'team', 'Z');
const texts = fc.dictionary(key, word, { maxKeys: 3, noNullPrototype: true });
const span = fc.constantFrom('0s', '30s', '5m', '90m', '1h30m', '720h', '36h');
const lasting = fc.oneof(span, fc.constant('Never'));
const small = fc.integer({ min: 0, max: 110 });
const amounts = fc.dictionary(
  fc.constantFrom('cpu', 'memory', 'nvidia.com/gpu'),
  fc.constantFrom('1', '1000m', '2Gi', '2048Mi', '500m'),
  { maxKeys: 3, noNullPrototype: true },
);

/** An object that has the required fields and any of the others. */
function some(
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  ...requiredKeys: readonly string[]
): fc.Arbitrary<object> {
  return fc.record(fields, { requiredKeys: [...requiredKeys], noNullPrototype: true });
}

const taint = some(
  { key, value: word, effect: fc.constantFrom('NoSchedule', 'NoExecute') },
  'key',
  'effect',
);
const requirement = some(
  {
    key,
    operator: fc.constantFrom('In', 'NotIn', 'Exists', 'Gt'),
    values: fc.array(word, { maxLength: 3 }),
    minValues: small,
  },
  'key',
  'operator',
);
const condition = some(
  {
    type: fc.constantFrom('Ready', 'Launched'),
    status: fc.constantFrom('True', 'False', 'Unknown'),
    lastTransitionTime: fc.constant('2026-11-16T09:30:00Z'),
    reason: fc.constant('Because'),
    message: word,
  },
  'type',
  'status',
  'lastTransitionTime',
  'reason',
  'message',
);

const metadata = some(
  {
    name: fc.constantFrom('one', 'two'),
    uid: fc.constant('uid-1'),
    creationTimestamp: fc.constant('2026-11-16T09:30:00Z'),
    generation: fc.constant(3),
    labels: fc.oneof(
      texts,
      fc.constantFrom({ 'karpenter.sh/nodepool': 'known' }, { 'karpenter.sh/nodepool': 'gone' }),
    ),
    annotations: fc.oneof(
      texts,
      fc.constantFrom(
        { 'compatibility.karpenter.k8s.aws/v1-alias-version': 'v20240807', note: 'kept' },
        { 'karpenter.sh/stored-version-migrated': 'true' },
        { 'compatibility.karpenter.sh/v1beta1-kubelet-conversion': '{"maxPods":3}' },
      ),
    ),
    finalizers: fc.constant(['karpenter.sh/termination']),
  },
  'name',
);

const kubelet = some({
  clusterDNS: fc.array(word, { maxLength: 2 }),
  maxPods: small,
  podsPerCore: small,
  systemReserved: texts,
  kubeReserved: texts,
  evictionHard: texts,
  evictionSoft: texts,
  evictionSoftGracePeriod: fc.dictionary(key, fc.oneof(span, fc.constantFrom('1500ms', '1m30s')), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
  evictionMaxPodGracePeriod: small,
  imageGCHighThresholdPercent: small,
  imageGCLowThresholdPercent: small,
  cpuCFSQuota: fc.boolean(),
});

const betaRef = some(
  {
    name: word,
    kind: fc.constantFrom('EC2NodeClass', 'NodeClass'),
    apiVersion: fc.constantFrom('karpenter.k8s.aws/v1beta1', 'eks.amazonaws.com/v1', 'odd'),
  },
  'name',
);
const v1Ref = some(
  {
    name: word,
    kind: fc.constantFrom('EC2NodeClass', 'NodeClass'),
    group: fc.constantFrom('karpenter.k8s.aws', 'eks.amazonaws.com'),
  },
  'name',
  'kind',
  'group',
);

const budget = {
  nodes: fc.constantFrom('10%', '0', '5'),
  schedule: fc.constantFrom('@daily', '0 9 * * 1'),
  duration: fc.constantFrom('90m', '8h', '1h30m'),
};
const reasons = fc.subarray(['Empty', 'Drifted', 'Underutilized'], { minLength: 1 });

const template = {
  taints: fc.array(taint, { maxLength: 2 }),
  startupTaints: fc.array(taint, { maxLength: 2 }),
  requirements: fc.array(requirement, { maxLength: 3 }),
};
const templateMetadata = some({ labels: texts, annotations: texts });
const poolStatus = { resources: amounts, conditions: fc.array(condition, { maxLength: 2 }) };

const betaPool = some(
  {
    metadata,
    spec: some(
      {
        template: some(
          {
            metadata: templateMetadata,
            spec: some(
              { ...template, kubelet, nodeClassRef: betaRef },
              'requirements',
              'nodeClassRef',
            ),
          },
          'spec',
        ),
        disruption: some({
          consolidateAfter: lasting,
          consolidationPolicy: fc.constantFrom('WhenEmpty', 'WhenUnderutilized'),
          expireAfter: lasting,
          budgets: fc.array(some(budget, 'nodes'), { maxLength: 3 }),
        }),
        limits: amounts,
        weight: small,
      },
      'template',
    ),
    status: some(poolStatus),
  },
  'metadata',
  'spec',
);

const v1Pool = some(
  {
    metadata,
    spec: some(
      {
        template: some(
          {
            metadata: templateMetadata,
            spec: some(
              {
                ...template,
                nodeClassRef: v1Ref,
                terminationGracePeriod: span,
                expireAfter: lasting,
              },
              'requirements',
              'nodeClassRef',
            ),
          },
          'spec',
        ),
        disruption: some({
          consolidateAfter: lasting,
          consolidationPolicy: fc.constantFrom('WhenEmpty', 'WhenEmptyOrUnderutilized'),
          budgets: fc.array(some({ ...budget, reasons }, 'nodes'), { maxLength: 3 }),
        }),
        limits: amounts,
        weight: small,
      },
      'template',
    ),
    status: some(poolStatus),
  },
  'metadata',
  'spec',
);

const claimStatus = some({
  nodeName: word,
  providerID: word,
  imageID: word,
  capacity: amounts,
  allocatable: amounts,
  conditions: fc.array(condition, { maxLength: 2 }),
});
const claimSpec = { ...template, resources: some({ requests: amounts }) };

const betaClaim = some(
  {
    metadata,
    spec: some({ ...claimSpec, kubelet, nodeClassRef: betaRef }, 'requirements', 'nodeClassRef'),
    status: claimStatus,
  },
  'metadata',
  'spec',
);
const v1Claim = some(
  {
    metadata,
    spec: some(
      { ...claimSpec, nodeClassRef: v1Ref, terminationGracePeriod: span, expireAfter: lasting },
      'requirements',
      'nodeClassRef',
    ),
    status: claimStatus,
  },
  'metadata',
  'spec',
);

const disk = some({
  deviceName: word,
  rootVolume: fc.boolean(),
  ebs: some({
    deleteOnTermination: fc.boolean(),
    encrypted: fc.boolean(),
    iops: small,
    throughput: small,
    kmsKeyID: word,
    snapshotID: word,
    volumeSize: fc.constantFrom('20Gi', '1Ti', '100G'),
    volumeType: fc.constantFrom('gp3', 'io2'),
  }),
});

const classFields = {
  subnetSelectorTerms: fc.array(some({ id: word, tags: texts }), { maxLength: 2 }),
  securityGroupSelectorTerms: fc.array(some({ id: word, name: word, tags: texts }), {
    maxLength: 2,
  }),
  associatePublicIPAddress: fc.boolean(),
  userData: word,
  role: word,
  instanceProfile: word,
  tags: texts,
  blockDeviceMappings: fc.array(disk, { maxLength: 2 }),
  instanceStorePolicy: fc.constant('RAID0'),
  detailedMonitoring: fc.boolean(),
  metadataOptions: some({
    httpEndpoint: fc.constantFrom('enabled', 'disabled'),
    httpProtocolIPv6: fc.constantFrom('enabled', 'disabled'),
    httpPutResponseHopLimit: small,
    httpTokens: fc.constantFrom('required', 'optional'),
  }),
  context: word,
};
const image = some({ id: word, name: word, owner: word, tags: texts }, 'id');
const classStatus = some({
  subnets: fc.array(some({ id: word, zone: word, zoneID: word }, 'id', 'zone'), { maxLength: 2 }),
  securityGroups: fc.array(some({ id: word, name: word }, 'id'), { maxLength: 2 }),
  amis: fc.array(
    some(
      {
        id: word,
        name: word,
        requirements: fc.constant([{ key: 'a', operator: 'In', values: ['b'] }]),
      },
      'id',
      'requirements',
    ),
    { maxLength: 2 },
  ),
  instanceProfile: word,
  conditions: fc.array(condition, { maxLength: 2 }),
});

const betaClass = some(
  {
    metadata,
    spec: some(
      {
        ...classFields,
        amiSelectorTerms: fc.array(image, { maxLength: 2 }),
        amiFamily: fc.constantFrom(
          'AL2',
          'AL2023',
          'Bottlerocket',
          'Ubuntu',
          'Custom',
          'Windows2022',
        ),
      },
      'amiFamily',
      'subnetSelectorTerms',
      'securityGroupSelectorTerms',
    ),
    status: classStatus,
  },
  'metadata',
  'spec',
);
const v1Class = some(
  {
    metadata,
    spec: some(
      {
        ...classFields,
        kubelet,
        amiSelectorTerms: fc.oneof(
          fc.array(image, { maxLength: 2 }),
          fc.constantFrom(
            [{ alias: 'al2023@latest' }],
            [{ alias: 'bottlerocket@v1.20.0' }],
            [{ alias: 'windows2019@latest' }],
          ),
        ),
        amiFamily: fc.constantFrom('AL2', 'AL2023', 'Bottlerocket', 'Custom', 'Windows2022'),
      },
      'amiSelectorTerms',
      'subnetSelectorTerms',
      'securityGroupSelectorTerms',
    ),
    status: classStatus,
  },
  'metadata',
  'spec',
);

export interface Sample {
  readonly kind: string;
  readonly group: string;
  readonly v1beta1: fc.Arbitrary<object>;
  readonly v1: fc.Arbitrary<object>;
}

export const samples: readonly Sample[] = [
  { kind: 'NodePool', group: 'karpenter.sh', v1beta1: betaPool, v1: v1Pool },
  { kind: 'NodeClaim', group: 'karpenter.sh', v1beta1: betaClaim, v1: v1Claim },
  { kind: 'EC2NodeClass', group: 'karpenter.k8s.aws', v1beta1: betaClass, v1: v1Class },
];
