import type { CapacityType, InstanceType } from '../catalog/instance-type.ts';
import type { Resources } from '../quantity/resources.ts';
import type { Requirements } from '../requirements/requirements.ts';
import type { Pod, Taint } from './pod.ts';

/**
 * The cluster at one moment, as plain values. It is built once per decision and never changed;
 * what-if questions are asked of a `Workspace` over it, which places, removes and undoes.
 */
export interface Snapshot {
  readonly atMs: number;
  readonly nodes: readonly Node[];
  readonly pools: readonly Pool[];
  /** One pod per DaemonSet, as it would run on a new node. */
  readonly daemons: readonly Pod[];
  /** Labels of the namespaces, by name, for rules that select namespaces. */
  readonly namespaces?: ReadonlyMap<string, Readonly<Record<string, string>>> | undefined;
}

/**
 * A node that exists or has been ordered. A claim whose machine has not joined yet is a node
 * too: what it will offer is known from its instance type.
 */
export interface Node {
  /** The Node's name, or the claim's until the machine has registered. */
  readonly name: string;
  readonly claimName?: string | undefined;
  readonly poolName?: string | undefined;
  readonly stage: 'ordered' | 'launched' | 'registered' | 'initialized';
  readonly labels: Readonly<Record<string, string>>;
  /** Labels that it will surely have with one of several values, before it is launched. */
  readonly openLabels?: Requirements | undefined;
  /** The types of which one will be launched, before it is. */
  readonly possibleTypes?: readonly InstanceType[] | undefined;
  /** Taints that repel pods now or will once the node is ready; passing start-up taints left out. */
  readonly taints: readonly Taint[];
  readonly allocatable: Resources;
  readonly capacity: Resources;
  /** Bound pods that still hold their resources. */
  readonly pods: readonly Pod[];
  /** Pods that a recent plan meant for this node and that are not bound yet, by uid. */
  readonly reservedFor: readonly string[];
  /** How many volumes it can attach, by CSI driver; unlimited where nothing is said. */
  readonly attachLimits?: Readonly<Record<string, number>> | undefined;
  readonly isReady: boolean;
  /** On its way out: no target for pods, and its movable pods count as pending. */
  readonly isLeaving: boolean;
  /** The cloud is removing its machine already, so that budgets no longer count it. */
  readonly isInstanceLeaving?: boolean | undefined;
  readonly priceUsdPerHour?: number | undefined;
  readonly instanceType?: string | undefined;
  readonly zone?: string | undefined;
  readonly capacityType?: CapacityType | undefined;
  readonly createdAtMs: number;
  /** When the last pod came or went, or the node was initialized; undefined until then. */
  readonly idleSinceMs?: number | undefined;
  readonly doNotDisrupt: boolean;
}

/** A NodePool as decisions see it. */
export interface Pool {
  readonly name: string;
  readonly uid: string;
  readonly weight: number;
  /** Requirements of the template, its labels and the pool's own name, combined. */
  readonly requirements: Requirements;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly limits: Resources;
  readonly instanceTypes: readonly InstanceType[];
  readonly disruption: PoolDisruption;
  /** Keeps a fixed number of nodes: it neither grows for pods nor shrinks without them. */
  readonly isStatic?: boolean | undefined;
  /** How many different values of a label the types of every order must offer, by label. */
  readonly minValues?: ReadonlyMap<string, number> | undefined;
  /** Why no node may be ordered from this pool now; undefined when it is ready. */
  readonly notReady?: string | undefined;
}

export interface PoolDisruption {
  readonly policy: 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | 'Balanced';
  /** Infinity for `Never`. */
  readonly consolidateAfterMs: number;
  readonly budgets: readonly Budget[];
}

export interface Budget {
  readonly nodes: string;
  readonly reasons?: readonly DisruptionReason[] | undefined;
  readonly schedule?: string | undefined;
  /** Undefined where there is no schedule; NaN where the text could not be read. */
  readonly durationMs?: number | undefined;
}

export type DisruptionReason = 'Empty' | 'Underutilized' | 'Drifted';
