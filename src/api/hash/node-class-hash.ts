import type { EC2NodeClass } from '../karpenter/ec2-node-class.ts';
import { decimal, hashText, xor } from './fnv.ts';
import { imageFamily } from './image-family.ts';
import {
  duration,
  flag,
  type Hashable,
  int32,
  int64,
  list,
  map,
  plain,
  pointer,
  struct,
  text,
} from './structure.ts';
import { canonicalSize } from './volume-size.ts';

/** The way of hashing; another version means that hashes cannot be compared. */
export const nodeClassHashVersion = 'v5';

/**
 * What of an EC2NodeClass its machines were made from, as one number; what is found by selectors
 * does not count. `caBundle` is what machines trust, in base64. The same number as the original's.
 */
export function nodeClassHash(nodeClass: Pick<EC2NodeClass, 'spec'>, caBundle = ''): string {
  const parts = [spec.hash(nodeClass.spec), hashText(imageFamily(nodeClass.spec))];
  return decimal([...parts, hashText(caBundle)].reduce(xor));
}

const volumeSize: Hashable = {
  hash: (value) => hashText(canonicalSize(String(value))),
  isZero: () => false,
};

const blockDevice = struct('BlockDevice', [
  pointer('DeleteOnTermination', 'deleteOnTermination', flag),
  pointer('Encrypted', 'encrypted', flag),
  pointer('IOPS', 'iops', int64),
  pointer('KMSKeyID', 'kmsKeyID', text),
  pointer('SnapshotID', 'snapshotID', text),
  pointer('Throughput', 'throughput', int64),
  pointer('VolumeInitializationRate', 'volumeInitializationRate', int32),
  pointer('VolumeSize', 'volumeSize', volumeSize),
  pointer('VolumeType', 'volumeType', text),
]);

const blockDeviceMapping = struct('BlockDeviceMapping', [
  pointer('DeviceName', 'deviceName', text),
  pointer('EBS', 'ebs', blockDevice),
  plain('RootVolume', 'rootVolume', flag),
]);

const kubelet = struct('KubeletConfiguration', [
  pointer('ClusterDNS', 'clusterDNS', list(text)),
  pointer('MaxPods', 'maxPods', int32),
  pointer('PodsPerCore', 'podsPerCore', int32),
  pointer('SystemReserved', 'systemReserved', map(text)),
  pointer('KubeReserved', 'kubeReserved', map(text)),
  pointer('EvictionHard', 'evictionHard', map(text)),
  pointer('EvictionSoft', 'evictionSoft', map(text)),
  pointer(
    'EvictionSoftGracePeriod',
    'evictionSoftGracePeriod',
    map(duration('Duration', 'left-out')),
  ),
  pointer('EvictionMaxPodGracePeriod', 'evictionMaxPodGracePeriod', int32),
  pointer('ImageGCHighThresholdPercent', 'imageGCHighThresholdPercent', int32),
  pointer('ImageGCLowThresholdPercent', 'imageGCLowThresholdPercent', int32),
  pointer('CPUCFSQuota', 'cpuCFSQuota', flag),
]);

const networkInterface = struct('NetworkInterface', [
  plain('NetworkCardIndex', 'networkCardIndex', int32),
  plain('DeviceIndex', 'deviceIndex', int32),
  plain('InterfaceType', 'interfaceType', text),
]);

const metadataOptions = struct('MetadataOptions', [
  pointer('HTTPEndpoint', 'httpEndpoint', text),
  pointer('HTTPProtocolIPv6', 'httpProtocolIPv6', text),
  pointer('HTTPPutResponseHopLimit', 'httpPutResponseHopLimit', int64),
  pointer('HTTPTokens', 'httpTokens', text),
]);

const connectionTracking = struct('ConnectionTracking', [
  pointer('TCPEstablishedTimeout', 'tcpEstablishedTimeout', int32),
  pointer('UDPStreamTimeout', 'udpStreamTimeout', int32),
  pointer('UDPTimeout', 'udpTimeout', int32),
]);

const placementGroupSelector = struct('PlacementGroupSelector', [
  pointer('Name', 'name', text),
  pointer('ID', 'id', text),
]);

const spec = struct('EC2NodeClassSpec', [
  pointer('PlacementGroupSelector', 'placementGroupSelector', placementGroupSelector),
  pointer('AssociatePublicIPAddress', 'associatePublicIPAddress', flag),
  pointer('UserData', 'userData', text),
  plain('Role', 'role', text),
  pointer('InstanceProfile', 'instanceProfile', text),
  pointer('Tags', 'tags', map(text)),
  pointer('Kubelet', 'kubelet', kubelet),
  pointer('BlockDeviceMappings', 'blockDeviceMappings', list(blockDeviceMapping)),
  pointer('InstanceStorePolicy', 'instanceStorePolicy', text),
  pointer('NetworkInterfaces', 'networkInterfaces', list(networkInterface)),
  pointer('DetailedMonitoring', 'detailedMonitoring', flag),
  pointer('MetadataOptions', 'metadataOptions', metadataOptions),
  pointer('ConnectionTracking', 'connectionTracking', connectionTracking),
  pointer('Context', 'context', text),
  pointer(
    'CPUOptions',
    'cpuOptions',
    struct('CPUOptions', [pointer('NestedVirtualization', 'nestedVirtualization', text)]),
  ),
]);
