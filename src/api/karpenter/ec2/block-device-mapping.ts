import {
  described,
  flag,
  int32,
  int64,
  list,
  object,
  oneOf,
  optional,
  ruled,
  text,
} from '../../schema/vocabulary.ts';

const volumeSizePattern =
  '^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$';

const ebs = ruled(
  object({
    deleteOnTermination: optional(
      described('Whether the volume is deleted together with the machine.', flag()),
    ),
    encrypted: optional(described('Whether the volume is encrypted.', flag())),
    iops: optional(
      described(
        'Operations per second: 3000 to 16000 for gp3, 100 to 64000 for io1 and io2.',
        int64(),
      ),
    ),
    throughput: optional(described('MiB per second, 125 to 1000, for gp3 alone.', int64())),
    kmsKeyID: optional(described('The key that encrypts the volume.', text())),
    snapshotID: optional(described('The snapshot that the volume starts as.', text())),
    volumeInitializationRate: optional(
      described(
        'MiB per second at which the snapshot is loaded in advance.',
        int32({ minimum: 100, maximum: 300 }),
      ),
    ),
    volumeSize: optional(
      described('The size, in Gi, G, Ti or T.', text({ pattern: volumeSizePattern })),
    ),
    volumeType: optional(
      described(
        'The kind of volume.',
        oneOf(['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3']),
      ),
    ),
  }),
  {
    rule: 'has(self.snapshotID) || has(self.volumeSize)',
    message: "a volume needs 'snapshotID' or 'volumeSize'",
  },
  {
    rule: "!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')",
    message: "'volumeInitializationRate' needs a 'snapshotID'",
  },
);

export const blockDeviceMapping = object({
  deviceName: optional(described('The name of the device: `/dev/xvda`.', text())),
  rootVolume: optional(
    described('Whether this volume counts as the space for pods. At most one may.', flag()),
  ),
  ebs: optional(described('The EBS volume.', ebs)),
});

export const blockDeviceMappings = ruled(
  described(
    'The disks of machines. Without them the image family decides.',
    list(blockDeviceMapping, { maxItems: 50 }),
  ),
  {
    rule: 'self.filter(x, has(x.rootVolume) && x.rootVolume).size() <= 1',
    message: "only one block device can have 'rootVolume'",
  },
);
