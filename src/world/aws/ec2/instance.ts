import type { Subnet, Tags } from '../account.ts';
import type { Image } from '../images.ts';
import type { InstanceTypeFacts } from '../instance-type-facts.ts';
import type { PurchaseOption } from '../market/offer.ts';
import type { BlockDevice, LaunchSpecification } from './launch-specification.ts';

export type InstanceState = 'pending' | 'running' | 'shutting-down' | 'terminated';

export const stateCodes: Readonly<Record<InstanceState, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
};

/** Everything that has been decided when a machine is bought. */
export interface LaunchOrder {
  readonly type: InstanceTypeFacts;
  readonly subnet: Subnet;
  readonly image: Image;
  readonly capacityType: PurchaseOption;
  readonly priceUsdPerHour: number;
  readonly specification: LaunchSpecification;
  readonly securityGroups: readonly { readonly id: string; readonly name: string }[];
  readonly instanceProfile: { readonly arn: string; readonly id: string } | undefined;
  /** By kind of resource: `instance`, `volume`, `network-interface`, `spot-instances-request`. */
  readonly tags: Readonly<Record<string, Tags>>;
  readonly clientToken: string;
  /** The capacity reservation that it occupies. */
  readonly capacityReservationId?: string | undefined;
  /** The partition is 0 where the group has none. */
  readonly placement?:
    | { readonly groupId: string; readonly groupName: string; readonly partition: number }
    | undefined;
}

export interface Volume {
  readonly id: string;
  readonly device: BlockDevice;
  readonly sizeGiB: number;
}

export interface NetworkInterface {
  readonly id: string;
  readonly attachmentId: string;
  readonly macAddress: string;
  readonly deviceIndex: number;
  readonly cardIndex: number;
  readonly type: string;
  /** Undefined for interfaces without an address of their own (`efa-only`). */
  readonly privateIp: string | undefined;
}

/** One machine from the order to the day it is forgotten. The room alone changes it. */
export interface Instance {
  readonly id: string;
  /** Counts up with every launch; listings follow it. */
  readonly sequence: number;
  readonly reservationId: string;
  readonly launchIndex: number;
  readonly order: LaunchOrder;
  readonly launchedAtMs: number;
  readonly spotRequestId: string | undefined;
  readonly privateIp: string;
  readonly privateDnsName: string;
  readonly volumes: readonly Volume[];
  readonly interfaces: readonly NetworkInterface[];
  readonly state: InstanceState;
  readonly isMarked: boolean;
  readonly stateReason: { readonly code: string; readonly message: string } | undefined;
  readonly stoppedAtMs: number | undefined;
  readonly terminatedAtMs: number | undefined;
}

/** Whether it still has its address and its volumes. */
export function isAlive(instance: Instance): boolean {
  return instance.state !== 'terminated';
}

/** Whether it counts against the account's quota. */
export function isUsingCapacity(instance: Instance): boolean {
  return instance.state === 'pending' || instance.state === 'running';
}
