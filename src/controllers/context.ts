import type { BufferBook } from './buffer/buffer-book.ts';
import type { ClusterState } from './cluster-state/cluster-state.ts';
import type { Informers } from './cluster-state/informers.ts';
import type { InstanceTypeBook } from './cluster-state/instance-type-book.ts';
import type { ReservationLedger } from './cluster-state/ledger.ts';
import type { ScarcePools } from './cluster-state/scarce-pools.ts';
import type { Meters } from './meters.ts';
import type { OverlayBook } from './overlay/overlay-book.ts';
import type { KarpenterPorts, KarpenterSettings } from './ports.ts';

/** What every loop is given: the world, what has been seen of it, and what was planned. */
export interface Context {
  readonly ports: KarpenterPorts;
  readonly settings: KarpenterSettings;
  readonly informers: Informers;
  readonly cluster: ClusterState;
  readonly ledger: ReservationLedger;
  readonly scarcePools: ScarcePools;
  readonly types: InstanceTypeBook;
  readonly overlayBook: OverlayBook;
  readonly bufferBook: BufferBook;
  readonly meters: Meters;
}
