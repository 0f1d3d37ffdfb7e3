import fc from 'fast-check';

const word = fc.constantFrom('a', 'b', 'team', 'ünïcode', '漢字', '🚀', 'x'.repeat(60), '');
const name = fc.constantFrom('a', 'b.example.com/c', 'team');
const texts = fc.dictionary(name, word, { maxKeys: 3, noNullPrototype: true });
const span = fc.constantFrom('0s', '5m', '720h', '1h30m', '90m', '24h0m0s', '10s');
const small = fc.integer({ min: 0, max: 200 });
const size = fc.constantFrom('20Gi', '1024Gi', '1Ti', '2048Gi', '2G', '1000G', '1T', '59000Gi');

const taint = fc.record(
  {
    key: name,
    value: word,
    effect: fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule'),
    timeAdded: fc.constantFrom('2026-11-16T09:30:00Z', '1999-01-01T00:00:01Z'),
  },
  { requiredKeys: ['key', 'effect'], noNullPrototype: true },
);

const templateSpec = fc.record(
  {
    requirements: fc.constant([]),
    taints: fc.array(taint, { maxLength: 3 }),
    startupTaints: fc.array(taint, { maxLength: 2 }),
    nodeClassRef: fc.record({ group: word, kind: word, name: word }, { noNullPrototype: true }),
    terminationGracePeriod: span,
    expireAfter: fc.oneof(span, fc.constant('Never')),
  },
  { requiredKeys: ['requirements', 'nodeClassRef'], noNullPrototype: true },
);

/** Random NodePools of v1, of which only the template matters. */
export const nodePool = fc
  .record(
    {
      metadata: fc.record({ labels: texts, annotations: texts }, partial()),
      spec: templateSpec,
    },
    { requiredKeys: ['spec'], noNullPrototype: true },
  )
  .map((template) => ({ metadata: { name: 'pool' }, spec: { template } }));

const disk = fc.record(
  {
    deviceName: word,
    rootVolume: fc.boolean(),
    ebs: fc.record(
      {
        deleteOnTermination: fc.boolean(),
        encrypted: fc.boolean(),
        iops: fc.integer({ min: 0, max: 64_000 }),
        throughput: small,
        kmsKeyID: word,
        snapshotID: word,
        volumeInitializationRate: small,
        volumeSize: size,
        volumeType: fc.constantFrom('gp2', 'gp3'),
      },
      partial(),
    ),
  },
  partial(),
);

const kubelet = fc.record(
  {
    clusterDNS: fc.array(word, { maxLength: 3 }),
    maxPods: small,
    podsPerCore: small,
    systemReserved: texts,
    kubeReserved: texts,
    evictionHard: texts,
    evictionSoft: texts,
    evictionSoftGracePeriod: fc.dictionary(name, span, { maxKeys: 2, noNullPrototype: true }),
    evictionMaxPodGracePeriod: fc.integer({ min: -5, max: 5 }),
    imageGCHighThresholdPercent: small,
    imageGCLowThresholdPercent: small,
    cpuCFSQuota: fc.boolean(),
  },
  partial(),
);

const term = fc.constantFrom(
  { id: 'ami-1' },
  { alias: 'al2023@latest' },
  { alias: 'bottlerocket@v1.2' },
  { alias: 'windows2025@latest' },
);

/** Random EC2NodeClasses of v1, with every field that counts. */
export const ec2NodeClass = fc
  .record(
    {
      amiSelectorTerms: fc.array(term, { maxLength: 1 }),
      amiFamily: fc.constantFrom('AL2', 'Custom', 'Bottlerocket', 'Windows2022'),
      ipPrefixCount: small,
      placementGroupSelector: fc.record({ name: word, id: word }, partial()),
      associatePublicIPAddress: fc.boolean(),
      userData: fc.oneof(word, fc.string({ maxLength: 200, unit: 'grapheme' })),
      role: word,
      instanceProfile: word,
      tags: texts,
      kubelet,
      blockDeviceMappings: fc.array(disk, { maxLength: 3 }),
      instanceStorePolicy: fc.constant('RAID0'),
      networkInterfaces: fc.array(
        fc.record(
          {
            networkCardIndex: fc.integer({ min: 0, max: 2 }),
            deviceIndex: fc.integer({ min: 0, max: 2 }),
            interfaceType: fc.constantFrom('interface', 'efa-only'),
          },
          { noNullPrototype: true },
        ),
        { maxLength: 3 },
      ),
      detailedMonitoring: fc.boolean(),
      metadataOptions: fc.record(
        {
          httpEndpoint: word,
          httpProtocolIPv6: word,
          httpPutResponseHopLimit: small,
          httpTokens: word,
        },
        partial(),
      ),
      connectionTracking: fc.record(
        { tcpEstablishedTimeout: small, udpStreamTimeout: small, udpTimeout: small },
        partial(),
      ),
      context: word,
      cpuOptions: fc.record({ nestedVirtualization: word }, partial()),
    },
    partial(),
  )
  .map((spec) => ({ metadata: { name: 'class' }, spec }));

function partial(): { requiredKeys: []; noNullPrototype: true } {
  return { requiredKeys: [], noNullPrototype: true };
}
