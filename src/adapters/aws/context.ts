import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { AwsCaller } from './calls/call.ts';
import type { AwsClients } from './calls/clients.ts';
import type { AwsSettings } from './settings.ts';

/** What every part of the adapter works with. */
export interface AwsContext {
  readonly clients: AwsClients;
  readonly caller: AwsCaller;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly settings: AwsSettings;
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
