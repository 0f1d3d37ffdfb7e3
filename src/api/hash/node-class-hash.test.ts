import { expect, test } from 'vitest';
import type { EC2NodeClassSpec } from '../karpenter/ec2-node-class.ts';
import { nodeClassHash } from './node-class-hash.ts';

const base: EC2NodeClassSpec = {
  subnetSelectorTerms: [],
  securityGroupSelectorTerms: [],
  amiSelectorTerms: [],
  role: 'role-1',
  tags: { 'keyTag-1': 'valueTag-1', 'keyTag-2': 'valueTag-2' },
  context: 'fake-context',
  detailedMonitoring: false,
  associatePublicIPAddress: false,
  metadataOptions: {
    httpEndpoint: 'disabled',
    httpProtocolIPv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: 'optional',
  },
  blockDeviceMappings: [
    {
      deviceName: 'map-device-1',
      ebs: {
        deleteOnTermination: false,
        encrypted: false,
        iops: 0,
        kmsKeyID: 'fakeKMSKeyID',
        snapshotID: 'fakeSnapshot',
        throughput: 0,
        volumeSize: '2G',
        volumeType: 'standard',
      },
    },
    { deviceName: 'map-device-2' },
  ],
  userData: 'userdata-test-1',
};

function hashOf(change: Partial<EC2NodeClassSpec> = {}): string {
  return nodeClassHash({ spec: { ...base, ...change } }, 'test-ca-bundle');
}

test('the hash is the number that the original writes', () => {
  expect(hashOf()).toBe('2608468723537941485');
});

test('what a selector finds and the order of disks do not count', () => {
  const [first, second] = base.blockDeviceMappings ?? [];
  if (first === undefined || second === undefined) throw new Error('two disks');
  const subnetSelectorTerms = [{ id: 'subnet-1' }];
  expect(hashOf({ subnetSelectorTerms, blockDeviceMappings: [second, first] })).toBe(hashOf());
});

test('an alias and its family written out are the same', () => {
  const alias = hashOf({ amiSelectorTerms: [{ alias: 'al2023@latest' }] });
  expect(hashOf({ amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-1' }] })).toBe(alias);
  expect(alias).not.toBe(hashOf());
});

test('what is set to nothing differs from what is not set', () => {
  const { detailedMonitoring: _, ...without } = base;
  expect(nodeClassHash({ spec: without }, 'test-ca-bundle')).not.toBe(hashOf());
});

test('a size counts as the server writes it back', () => {
  const disks = (volumeSize: string) => [{ ebs: { volumeSize } }];
  expect(hashOf({ blockDeviceMappings: disks('1024Gi') })).toBe(
    hashOf({ blockDeviceMappings: disks('1Ti') }),
  );
});

test('other trust is another machine', () => {
  expect(nodeClassHash({ spec: base }, '')).not.toBe(hashOf());
});
