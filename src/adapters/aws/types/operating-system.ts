import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { AmiFamily } from '../../../api/karpenter/ec2-node-class.ts';
import { windowsBuild } from '../node-class/ami-family.ts';
import { architectureOf } from '../node-class/image-alias.ts';

/** Undefined where the family does not run on the machine at all: there is no Windows for Arm. */
export function operatingSystem(
  info: InstanceTypeInfo,
  family: AmiFamily,
): 'linux' | 'windows' | undefined {
  if (windowsBuild(family) === undefined) return 'linux';
  return architecture(info) === 'amd64' ? 'windows' : undefined;
}

/** The first that Kubernetes has a word for; else EC2's words, for people to read. */
export function architecture(info: InstanceTypeInfo): string {
  const supported = info.ProcessorInfo?.SupportedArchitectures ?? [];
  const mapped = supported.map(architectureOf).find((name) => name !== undefined);
  return mapped ?? supported.join(',');
}
