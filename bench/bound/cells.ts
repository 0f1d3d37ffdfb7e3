import type { InstanceType, Offering } from '../../src/core/catalog/instance-type.ts';
import { daemonsOfPool } from '../../src/core/cluster/daemons.ts';
import type { Pod } from '../../src/core/cluster/pod.ts';
import { firstRepellingTaint } from '../../src/core/cluster/pod.ts';
import type { Pool, Snapshot } from '../../src/core/cluster/snapshot.ts';
import type { Requirements } from '../../src/core/requirements/requirements.ts';
import {
  allowsAbsence,
  has,
  overlaps,
  type ValueSet,
} from '../../src/core/requirements/value-set.ts';
import { labels } from '../../src/core/requirements/well-known.ts';

/** One thing that can be bought: a type of a pool, in a zone, as spot or on-demand. */
export interface Cell {
  readonly pool: Pool;
  readonly type: InstanceType;
  readonly offering: Offering;
  /** What is left for pods once the daemons run, by resource. */
  readonly free: readonly number[];
}

/** Everything that the ready pools can buy, for pods that ask for these resources. */
export function cellsOf(snapshot: Snapshot, resources: readonly string[]): readonly Cell[] {
  return snapshot.pools
    .filter((pool) => pool.notReady === undefined && pool.isStatic !== true)
    .flatMap((pool) => {
      const daemonsOn = daemonsOfPool(pool, snapshot.daemons);
      return pool.instanceTypes.flatMap((type) => {
        const daemons = daemonsOn(type);
        const free = resources.map((name) => freeOf(type, daemons, name));
        return type.offerings
          .filter((offering) => offering.isAvailable)
          .filter((offering) => isAllowed(pool.requirements, { pool, type, offering }))
          .map((offering): Cell => ({ pool, type, offering, free }));
      });
    });
}

function freeOf(type: InstanceType, daemons: readonly Pod[], name: string): number {
  const taken = daemons.reduce((sum, daemon) => sum + (daemon.requests[name] ?? 0), 0);
  return (type.allocatable[name] ?? 0) - taken;
}

/** Whether the pod may run there, however full it is. Errs towards yes, as a lower bound must. */
export function admits(cell: Omit<Cell, 'free'>, pod: Pod): boolean {
  if (firstRepellingTaint(pod.tolerations, cell.pool.taints) !== undefined) return false;
  const volumes = pod.volumes?.alternatives ?? [];
  return (
    pod.nodeAlternatives.some((wanted) => isAllowed(wanted, cell)) &&
    (volumes.length === 0 || volumes.some((wanted) => isAllowed(wanted, cell)))
  );
}

function isAllowed(wanted: Requirements, cell: Omit<Cell, 'free'>): boolean {
  for (const [key, set] of wanted) if (!isAllowedKey(key, set, cell)) return false;
  return true;
}

function isAllowedKey(key: string, set: ValueSet, cell: Omit<Cell, 'free'>): boolean {
  const { pool, type, offering } = cell;
  const value = settled(key, offering) ?? pool.labels[key];
  if (value !== undefined) return has(set, value);
  const left = type.requirements.get(key) ?? pool.requirements.get(key);
  return left === undefined ? allowsAbsence(set) : overlaps(left, set);
}

function settled(key: string, offering: Offering): string | undefined {
  if (key === labels.zone) return offering.zone;
  if (key === labels.capacityType) return offering.capacityType;
  if (key === labels.zoneId) return offering.zoneId;
  return key === labels.registered || key === labels.initialized ? 'true' : undefined;
}
