import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';

type Ec2Interface = NonNullable<RequestLaunchTemplateData['NetworkInterfaces']>[number];

export interface NetworkWish {
  readonly nodeClass: EC2NodeClass;
  /** How many interfaces of the Elastic Fabric Adapter the machine is to have; 0 where none is asked for. */
  readonly efaCount: number;
  readonly isIpv6: boolean;
}

/** The interfaces the class lists; else one for each fabric adapter asked for; else just one. */
export function networkInterfaces(wish: NetworkWish): Ec2Interface[] {
  const listed = wish.nodeClass.spec.networkInterfaces ?? [];
  if (listed.length > 0)
    return listed.map(({ networkCardIndex, deviceIndex, interfaceType }) => ({
      ...(interfaceType === 'efa-only' ? groups(wish) : ipInterface(wish)),
      NetworkCardIndex: networkCardIndex,
      DeviceIndex: deviceIndex,
      InterfaceType: interfaceType,
    }));
  if (wish.efaCount === 0) return [{ ...ipInterface(wish), DeviceIndex: 0 }];
  return Array.from({ length: wish.efaCount }, (_, card) => ({
    ...ipInterface(wish),
    NetworkCardIndex: card,
    DeviceIndex: card === 0 ? 0 : 1,
    InterfaceType: 'efa',
  }));
}

function groups({ nodeClass }: NetworkWish): Ec2Interface {
  return { Groups: (nodeClass.status?.securityGroups ?? []).map((group) => group.id) };
}

/** An interface that carries IP traffic: it has addresses and tracks connections. */
function ipInterface(wish: NetworkWish): Ec2Interface {
  const { associatePublicIPAddress, connectionTracking } = wish.nodeClass.spec;
  return {
    ...groups(wish),
    ...(associatePublicIPAddress === undefined
      ? {}
      : { AssociatePublicIpAddress: associatePublicIPAddress }),
    ...addresses(wish),
    ...(connectionTracking === undefined
      ? {}
      : {
          ConnectionTrackingSpecification: {
            TcpEstablishedTimeout: connectionTracking.tcpEstablishedTimeout,
            UdpStreamTimeout: connectionTracking.udpStreamTimeout,
            UdpTimeout: connectionTracking.udpTimeout,
          },
        }),
  };
}

function addresses({ nodeClass, isIpv6 }: NetworkWish): Ec2Interface {
  const { ipPrefixCount } = nodeClass.spec;
  if (!isIpv6) return ipPrefixCount === undefined ? {} : { Ipv4PrefixCount: ipPrefixCount };
  return {
    PrimaryIpv6: true,
    Ipv6AddressCount: 1,
    ...(ipPrefixCount === undefined ? {} : { Ipv6PrefixCount: ipPrefixCount }),
  };
}
