import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type {
  AmiFamily,
  EC2NodeClass,
  NetworkInterface,
} from '../../../api/karpenter/ec2-node-class.ts';
import type { PlacementGroup } from '../placement/placement-groups.ts';
import { operatingSystem } from './operating-system.ts';

/** What of the node class a machine may be unable to serve. */
export interface ClassDemands {
  readonly family: AmiFamily;
  readonly spec: Pick<
    EC2NodeClass['spec'],
    'networkInterfaces' | 'cpuOptions' | 'connectionTracking' | 'placementGroupSelector'
  >;
  readonly placementGroup: PlacementGroup | undefined;
}

/** Why the machine cannot serve the class, in a few words; undefined where it can. */
export function incompatibility(info: InstanceTypeInfo, demands: ClassDemands): string | undefined {
  return (
    imageRefusal(info, demands) ??
    interfaceRefusal(info, demands.spec.networkInterfaces ?? []) ??
    processorRefusal(info, demands) ??
    placementRefusal(info, demands) ??
    trackingRefusal(info, demands)
  );
}

function imageRefusal(info: InstanceTypeInfo, { family }: ClassDemands): string | undefined {
  // AL2023 needs instructions that the first Arm processors lack.
  if (family === 'AL2023' && (info.InstanceType ?? '').startsWith('a1.'))
    return 'AL2023 does not run on its processor';
  if (operatingSystem(info, family) === undefined) return `${family} does not run on its processor`;
  return undefined;
}

function interfaceRefusal(
  { NetworkInfo: network }: InstanceTypeInfo,
  wanted: readonly NetworkInterface[],
): string | undefined {
  if (wanted.length === 0) return undefined;
  const cards = network?.NetworkCards ?? [];
  if (cards.length === 0) return 'its network cards are unknown';
  if (network?.EnaSupport === undefined || network.EnaSupport === 'unsupported')
    return 'it has no enhanced networking';
  for (const { networkCardIndex, deviceIndex } of wanted) {
    const card = cards[networkCardIndex];
    if (card === undefined) return `it has no network card ${networkCardIndex}`;
    if (deviceIndex >= (card.MaximumNetworkInterfaces ?? 0))
      return `its network card ${networkCardIndex} has no device ${deviceIndex}`;
  }
  const efas = wanted.filter((one) => one.interfaceType === 'efa-only').length;
  if (efas > (network.EfaInfo?.MaximumEfaInterfaces ?? 0))
    return `it has no ${efas} EFA interfaces`;
  return undefined;
}

function processorRefusal(info: InstanceTypeInfo, { spec }: ClassDemands): string | undefined {
  if (spec.cpuOptions?.nestedVirtualization !== 'enabled') return undefined;
  const features: readonly string[] = info.ProcessorInfo?.SupportedFeatures ?? [];
  return features.includes('nested-virtualization')
    ? undefined
    : 'its processor has no nested virtualization';
}

function placementRefusal(info: InstanceTypeInfo, demands: ClassDemands): string | undefined {
  if (demands.spec.placementGroupSelector === undefined) return undefined;
  if (demands.placementGroup === undefined) return 'the placement group was not found';
  const { strategy } = demands.placementGroup;
  const supported: readonly string[] = info.PlacementGroupInfo?.SupportedStrategies ?? [];
  return supported.includes(strategy) ? undefined : `it cannot be placed by ${strategy}`;
}

/** Connection tracking is set on the Nitro card; bare metal states no hypervisor. */
function trackingRefusal(info: InstanceTypeInfo, { spec }: ClassDemands): string | undefined {
  if (spec.connectionTracking === undefined || info.Hypervisor === 'nitro') return undefined;
  return 'connection tracking cannot be set on it';
}
