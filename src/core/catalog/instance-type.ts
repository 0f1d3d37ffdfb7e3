import type { Resources } from '../quantity/resources.ts';
import type { Requirements } from '../requirements/requirements.ts';

export type CapacityType = 'on-demand' | 'spot' | 'reserved';

/** One way to buy an instance type: where, how, and for how much. */
export interface Offering {
  readonly zone: string;
  /** The zone's id, which is the same in every account, where the cloud has one. */
  readonly zoneId?: string | undefined;
  readonly capacityType: CapacityType;
  readonly priceUsdPerHour: number;
  /** False while the cloud is believed to have none of it, or it must not be used now. */
  readonly isAvailable: boolean;
  /** Capacity that is paid for already; given exactly where `capacityType` is `reserved`. */
  readonly reservation?: Reservation | undefined;
  /** A NodeOverlay has set the price or the capacity. */
  readonly isOverlaid?: boolean | undefined;
}

export interface Reservation {
  readonly id: string;
  readonly kind: 'default' | 'capacity-block';
  /** How many more instances it holds. */
  readonly left: number;
  readonly isInterruptible?: boolean | undefined;
  readonly endsAtMs?: number | undefined;
}

/** What one kind of machine offers to pods, under one node class. */
export interface InstanceType {
  readonly name: string;
  /** The labels its nodes will carry; several values where the offering decides (zone). */
  readonly requirements: Requirements;
  readonly capacity: Resources;
  /** Capacity less what the system keeps for itself. */
  readonly allocatable: Resources;
  readonly offerings: readonly Offering[];
  /**
   * The node class can never use it, for want of an image, say. None of its offerings is available;
   * it is listed for what it would cost.
   */
  readonly isUnusable?: boolean | undefined;
}
