import type { EC2NodeClass, EC2NodeClassStatus } from '../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../api/karpenter/node-claim.ts';
import type { Condition } from '../api/resource.ts';
import type { CapacityType, InstanceType } from '../core/catalog/instance-type.ts';
import type { Resources } from '../core/quantity/resources.ts';

/** What Karpenter asks of a cloud. Every implementation passes the cloud provider contract. */
export interface CloudProvider {
  /**
   * Every type the node class can launch, with prices and current availability. Types without an
   * available offering are listed too. Answers from memory where it can; cheap to call often.
   */
  instanceTypes(nodeClass: EC2NodeClass): Promise<readonly InstanceType[]>;

  /**
   * Starts one instance that meets the claim and resolves once the cloud has accepted it. Calling
   * again with the same claim uid returns the first instance: a crash between launch and status
   * patch must not buy a second machine.
   */
  launch(
    claim: NodeClaim,
    nodeClass: EC2NodeClass,
    signal: AbortSignal,
    limits?: LaunchLimits,
  ): Promise<LaunchedInstance>;

  /** Asks for termination; safe to repeat. `gone` means that the cloud no longer bills for it. */
  terminate(providerId: string, signal: AbortSignal): Promise<'terminating' | 'gone'>;

  /** The instance, or undefined once the cloud has forgotten or terminated it. */
  get(providerId: string): Promise<CloudInstance | undefined>;

  /** Every instance that belongs to this cluster and to Karpenter, leaving ones included. */
  list(): Promise<readonly CloudInstance[]>;

  /** Instances that the cloud finds unwell, of any owner. */
  troubles(): Promise<readonly InstanceTrouble[]>;

  /** When a node counts as broken. */
  readonly repairPolicies: readonly RepairPolicy[];

  /** Writes tags that are known only after registration, such as the node's name. Safe to repeat. */
  tag(providerId: string, tags: Readonly<Record<string, string>>): Promise<void>;

  /** Finds what the node class selects and creates what it asks for (instance profile). Safe to repeat. */
  resolve(nodeClass: EC2NodeClass): Promise<NodeClassResolution>;

  /** Deletes everything `resolve` and `launch` made for the node class. Safe to repeat. */
  release(nodeClass: EC2NodeClass): Promise<void>;

  /** In what the machine of the claim differs from what its node class would launch now, if it does. */
  drift(claim: NodeClaim, nodeClass: EC2NodeClass): Promise<DriftReason | undefined>;

  /** Deletes launch templates that nothing has used for a while. Returns their names. */
  collectLaunchTemplates(): Promise<readonly string[]>;

  /** Deletes instance profiles of this cluster that are not among those in use. Returns their names. */
  collectInstanceProfiles(inUse: ReadonlySet<string>): Promise<readonly string[]>;

  /**
   * Tells what a Node reported of its machine once it registered, so that what is expected of such
   * machines comes true. Safe to repeat; after a start every registered Node is told again.
   */
  learn(machine: SeenMachine): void;
}

/** Why a machine is no longer what its node class asks for. */
export type DriftReason =
  | 'NodeClassDrift'
  | 'AMIDrift'
  | 'SecurityGroupDrift'
  | 'SubnetDrift'
  | 'CapacityReservationDrift'
  | 'PlacementGroupDrift';

/** What a Node reported of its machine. */
export interface SeenMachine {
  readonly instanceType: string;
  readonly imageId: string;
  readonly memoryBytes: number;
  /** What it leaves to pods, and the class as it was when the machine was ordered. */
  readonly room?: { readonly classHash: string; readonly amounts: Resources } | undefined;
}

/** What a launch must not exceed, though the claim would allow it. */
export interface LaunchLimits {
  /** Spot beyond this is held for unavailable. */
  readonly spotUsdPerHour?: number | undefined;
}

export interface LaunchedInstance {
  readonly providerId: string;
  readonly imageId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly capacity: Resources;
  readonly allocatable: Resources;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
  readonly priceUsdPerHour: number | undefined;
}

export interface CloudInstance {
  readonly providerId: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
  readonly state: 'pending' | 'running' | 'stopping' | 'stopped' | 'shutting-down';
  readonly launchedAtMs: number;
  readonly tags: Readonly<Record<string, string>>;
  /** The uid of the claim it was launched for, from its tags. */
  readonly claimUid: string | undefined;
  /** The group of claims that it was bought for, with the round of buying: `<group id>.<round>`. */
  readonly launchGroup?: string | undefined;
}

export interface NodeClassResolution {
  readonly status: Omit<EC2NodeClassStatus, 'conditions'>;
  /** One per dependent condition (SubnetsReady, …), without times; the controller adds `Ready`. */
  readonly conditions: readonly Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[];
}

/** Messages about instances in danger, from the interruption queue. */
export interface InterruptionQueue {
  /** Waits a while for messages; an empty answer is normal. */
  receive(signal: AbortSignal): Promise<readonly InterruptionMessage[]>;
  /** Forgets messages that have been dealt with. Safe to repeat. */
  acknowledge(...messages: readonly InterruptionMessage[]): Promise<void>;
}

export interface InterruptionMessage {
  readonly receipt: string;
  readonly kind: InterruptionKind;
  readonly instanceIds: readonly string[];
  readonly text: string;
  /** When it happened; undefined where the message does not tell. */
  readonly happenedAtMs?: number | undefined;
}

export type InterruptionKind =
  | 'spot-interruption'
  | 'rebalance'
  | 'capacity-reservation-interruption'
  | 'scheduled-change'
  | 'instance-stopped'
  | 'instance-terminated'
  | 'other';

/** An instance that the cloud itself finds unwell. */
export interface InstanceTrouble {
  readonly instanceId: string;
  /** `EventStatus` is planned work on the host; the others are failed checks. */
  readonly category: 'InstanceStatus' | 'SystemStatus' | 'EventStatus';
  readonly text: string;
}

/** How long a node may be in a condition before its machine is replaced. */
export interface RepairPolicy {
  /** The type of the node's condition, and its status. */
  readonly condition: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly toleranceMs: number;
}

export type CloudErrorKind =
  | 'insufficient-capacity'
  | 'node-class-not-ready'
  | 'throttled'
  | 'unauthorized'
  | 'quota'
  | 'rejected'
  | 'unreachable';

/** The only error a cloud adapter throws on purpose. Callers switch on `kind` and `reason`. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly kind: CloudErrorKind;
  /** CamelCase, for the claim's condition: `Unauthorized`, `AMINotFound`. */
  readonly reason: string;

  constructor(kind: CloudErrorKind, reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.reason = reason;
  }
}
