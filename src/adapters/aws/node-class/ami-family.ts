import type { AmiFamily, BlockDeviceMapping } from '../../../api/karpenter/ec2-node-class.ts';

/** What a family of images decides besides its user data. */
interface FamilyFeatures {
  /** Kubelet's memory is reserved by the interfaces of the machine, whatever maxPods says. */
  readonly reservesMemoryByInterfaces: boolean;
  readonly honoursPodsPerCore: boolean;
  readonly limitsPodsByInterfaces: boolean;
  readonly defaultDevices: readonly BlockDeviceMapping[];
  /** The device that holds container images and volumes. */
  readonly ephemeralDevice: string | undefined;
}

export function familyFeatures(family: AmiFamily): FamilyFeatures {
  switch (family) {
    case 'AL2':
    case 'AL2023':
      return linux([disk('/dev/xvda', 20)], '/dev/xvda');
    case 'Bottlerocket':
      return {
        ...linux([disk('/dev/xvda', 4), disk('/dev/xvdb', 20)], '/dev/xvdb'),
        reservesMemoryByInterfaces: false,
        honoursPodsPerCore: false,
      };
    case 'Custom':
      return linux([], undefined);
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return {
        ...linux([disk('/dev/sda1', 50)], '/dev/sda1'),
        reservesMemoryByInterfaces: false,
        limitsPodsByInterfaces: false,
      };
  }
}

function linux(
  defaultDevices: readonly BlockDeviceMapping[],
  ephemeralDevice: string | undefined,
): FamilyFeatures {
  return {
    reservesMemoryByInterfaces: true,
    honoursPodsPerCore: true,
    limitsPodsByInterfaces: true,
    defaultDevices,
    ephemeralDevice,
  };
}

function disk(deviceName: string, sizeGiB: number): BlockDeviceMapping {
  return {
    deviceName,
    ebs: { volumeSize: `${sizeGiB}Gi`, volumeType: 'gp3', encrypted: true },
  };
}

const windowsBuilds: { readonly [family in AmiFamily]?: string } = {
  Windows2019: '10.0.17763',
  Windows2022: '10.0.20348',
  Windows2025: '10.0.26100',
};

/** What Nodes of this family say they run: the label `node.kubernetes.io/windows-build`. */
export function windowsBuild(family: AmiFamily): string | undefined {
  return windowsBuilds[family];
}
