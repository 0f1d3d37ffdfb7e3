import type { CapacityType, InstanceType } from '../catalog/instance-type.ts';
import type { Pod } from '../cluster/pod.ts';
import type { Pool } from '../cluster/snapshot.ts';
import type { Refusal } from '../explain/reason.ts';
import type { Resources } from '../quantity/resources.ts';
import type { Requirements } from '../requirements/requirements.ts';

/** Where every pod goes. Same snapshot and pods in, same plan out, whatever their order. */
export interface Plan {
  /** Pods that fit what exists or is on order already. */
  readonly placements: readonly Placement[];
  readonly newNodes: readonly NewNode[];
  readonly unplaced: readonly Unplaced[];
}

export interface Placement {
  readonly pod: Pod;
  readonly nodeName: string;
}

/** A node to order: the pods it is for, and everything the cloud may choose from. */
export interface NewNode {
  readonly pool: Pool;
  readonly pods: readonly Pod[];
  /** Pool and pods together, the choice of types and capacity types included. */
  readonly requirements: Requirements;
  /** Cheapest first; each has an available offering that meets `requirements` and fits. */
  readonly instanceTypes: readonly InstanceType[];
  /** What the pods and the node's daemons ask for. */
  readonly requests: Resources;
  /** The purchase that the plan counts on. */
  readonly cheapest: Purchase;
  /** The dearest purchase that the order allows, whatever the kind of capacity. */
  readonly dearest?: Purchase | undefined;
}

/** One way to buy a node. */
export interface Purchase {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: CapacityType;
  readonly priceUsdPerHour: number;
}

export interface Unplaced {
  readonly pod: Pod;
  readonly refusal: Refusal;
}
