import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { Account } from './account.ts';
import type { Catalog } from './catalog.ts';
import type { CloudTime } from './cloud-time.ts';
import type { AddressBook } from './ec2/address-book.ts';
import type { CapacityReservations } from './ec2/capacity-reservation-store.ts';
import type { InstanceRoom } from './ec2/instance-room.ts';
import type { LaunchTemplates } from './ec2/launch-template-store.ts';
import type { PlacementGroups } from './ec2/placement-group-store.ts';
import type { TagStore } from './ec2/tag-store.ts';
import type { InstanceProfiles } from './iam/instance-profiles.ts';
import type { Prices } from './market/prices.ts';
import type { Quotas, Shortages } from './market/shortages.ts';
import type { RegionCatalog } from './region-catalog.ts';

/** The Kubernetes cluster that EKS shows. */
export interface ClusterFacts {
  readonly name: string;
  readonly endpoint: string;
  /** Base64 of the PEM. */
  readonly certificateAuthority: string;
  /** `1.36` */
  readonly version: string;
  readonly serviceIpv4Cidr: string;
}

/** What the actions of all services work on. */
export interface Cloud {
  readonly clock: Clock;
  readonly random: Random;
  readonly time: CloudTime;
  readonly startedAtMs: number;
  readonly region: string;
  readonly accountId: string;
  readonly catalog: Catalog;
  readonly offers: RegionCatalog;
  readonly cluster: () => ClusterFacts;
  /** Seeded at the first call, since only then the cluster has to have a name. */
  readonly account: () => Account;
  readonly tags: TagStore;
  readonly addresses: AddressBook;
  readonly instances: InstanceRoom;
  readonly templates: LaunchTemplates;
  readonly reservations: CapacityReservations;
  readonly placementGroups: PlacementGroups;
  readonly profiles: () => InstanceProfiles;
  readonly prices: Prices;
  readonly shortages: Shortages;
  readonly quotas: Quotas;
  /** By zone id: until when the cluster is shifted away from it. */
  readonly zonalShifts: Map<string, number>;
}
