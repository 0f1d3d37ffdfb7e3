import { DescribeClusterCommand } from '@aws-sdk/client-eks';
import type { Clock } from '../../../ports/clock.ts';
import { CloudError } from '../../../ports/cloud-provider.ts';
import { Refreshed } from '../calls/refreshed.ts';
import { type AwsContext, hourMs } from '../context.ts';
import { readZonalShifts } from './managed-resource.ts';

/** A zone that people, or AWS itself, have moved work away from. */
export interface ZonalShift {
  readonly zoneId: string;
  readonly expiresAtMs: number;
  readonly isApplied: boolean;
}

/** Which zones must not get new machines now. */
export interface ZonalShifts {
  /** Asks again when it is time; never rejects, and cheap to call often. */
  refresh(): Promise<void>;
  isShifted(zoneId: string): boolean;
  /** A text that differs whenever the set of shifted zones does. */
  version(): string;
}

const everyMs = 30_000;

/** The cluster's shifts, asked every half minute; nothing is asked unless the settings want it. */
export function createZonalShifts(context: AwsContext): ZonalShifts {
  if (context.settings.isZonalShiftEnabled !== true) return noZonalShifts;
  const { clock, log } = context;
  const book = new ShiftBook(clock);
  const arn = new Refreshed<string>({
    ...{ clock, log, what: 'the ARN of the cluster', everyMs: 12 * hourMs },
    load: () => findArn(context),
  });
  const shifts = new Refreshed<true>({
    ...{ clock, log, what: 'zonal shifts', everyMs },
    load: async () => {
      const before = book.shifted().join();
      book.note(await ask(context, await arn.get()));
      const after = book.shifted().join();
      if (after !== before) log.info('zonal shifts have changed', { shiftedAwayFrom: after });
      return true;
    },
  });
  return {
    // What fails has been logged; what was known before stays in use.
    refresh: () =>
      shifts.get().then(
        () => undefined,
        () => undefined,
      ),
    isShifted: (zoneId) => book.shifted().includes(zoneId),
    version: () => book.shifted().join(),
  };
}

async function findArn(context: AwsContext): Promise<string> {
  const name = context.settings.clusterName;
  const doing = `describing EKS cluster ${name}`;
  const { cluster } = await context.caller.call(
    { service: 'eks', action: 'DescribeCluster', priority: 'describe', doing },
    (abortSignal) =>
      context.clients.eks.send(new DescribeClusterCommand({ name }), { abortSignal }),
  );
  if (cluster?.arn === undefined)
    throw new CloudError('rejected', 'ClusterNotFound', `${doing}: it has no ARN`);
  return cluster.arn;
}

function ask(context: AwsContext, arn: string): Promise<readonly ZonalShift[]> {
  return context.caller.call(
    {
      service: 'arc-zonal-shift',
      action: 'GetManagedResource',
      priority: 'describe',
      doing: 'asking for zonal shifts',
    },
    (abortSignal) =>
      readZonalShifts(context.clients.eks, { arn, nowMs: context.clock.nowMs() }, abortSignal),
  );
}

/** For clusters that do not take part in zonal shift. */
export const noZonalShifts: ZonalShifts = {
  refresh: async () => {},
  isShifted: () => false,
  version: () => '',
};

/**
 * The shifts that were heard of. A shift that an answer with others leaves out stays until it
 * expires, since the API may tell of one zone at a time; an empty answer ends them all.
 */
export class ShiftBook {
  readonly #clock: Clock;
  #shifts = new Map<string, ZonalShift>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(shifts: readonly ZonalShift[]): void {
    const nowMs = this.#clock.nowMs();
    const kept = shifts.length === 0 ? [] : [...this.#shifts.values()];
    const all = [...kept, ...shifts].filter((one) => one.expiresAtMs > nowMs);
    this.#shifts = new Map(all.map((one) => [one.zoneId, one]));
  }

  shifted(): readonly string[] {
    const nowMs = this.#clock.nowMs();
    return [...this.#shifts.values()]
      .filter((one) => one.isApplied && one.expiresAtMs > nowMs)
      .map((one) => one.zoneId)
      .sort();
  }
}
