import type { Cloud } from '../cloud.ts';
import { stableDigits } from '../stable-id.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { ServiceCall } from '../wire/service-call.ts';
import { epochSeconds } from '../wire/times.ts';

/** The zonal shift API of ARC, as far as a cluster is asked about: which zones it is shifted from. */
export function zonalShiftRoutes(
  cloud: Cloud,
): (call: ServiceCall) => { readonly action: string; readonly run: () => object } | undefined {
  return ({ method, path }) => {
    const id = /^\/managedresources\/([^/]+)$/.exec(path)?.[1];
    if (method !== 'GET' || id === undefined) return undefined;
    return {
      action: 'GetManagedResource',
      run: () => managedResource(cloud, decodeURIComponent(id)),
    };
  };
}

function managedResource(cloud: Cloud, arn: string): object {
  const { name } = cloud.cluster();
  const known = `arn:aws:eks:${cloud.region}:${cloud.accountId}:cluster/${name}`;
  if (arn !== known) {
    throw new AwsError('ResourceNotFoundException', `Resource not found: ${arn}`, { status: 404 });
  }
  const nowMs = cloud.time.nowMs();
  const shifts = [...cloud.zonalShifts].filter(([, untilMs]) => untilMs > nowMs).sort();
  return {
    arn,
    name,
    appliedWeights: Object.fromEntries(
      cloud.offers.zones.map((zone) => [zone.id, shifts.some(([id]) => id === zone.id) ? 0 : 1]),
    ),
    zonalShifts: shifts.map(([zoneId, untilMs]) => ({
      appliedStatus: 'APPLIED',
      awayFrom: zoneId,
      comment: '',
      expiryTime: epochSeconds(untilMs),
      resourceIdentifier: arn,
      startTime: epochSeconds(cloud.startedAtMs),
      zonalShiftId: stableDigits(`shift/${zoneId}`, 32),
    })),
    autoshifts: [],
    zonalAutoshiftStatus: 'DISABLED',
  };
}
