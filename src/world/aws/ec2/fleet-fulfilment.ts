import type { Cloud } from '../cloud.ts';
import type { PurchaseOption } from '../market/offer.ts';
import { type Choice, ranked } from './fleet-choice.ts';
import type { FleetCandidate, FleetRequest, FleetTarget } from './fleet-request.ts';
import {
  capacityFor,
  offerOfLaunch,
  type Refusal,
  type Resolved,
  resolveLaunch,
} from './launch-check.ts';

/** Machines got through one candidate. */
interface FleetGain {
  readonly candidate: FleetCandidate;
  readonly capacityType: PurchaseOption;
  readonly zone: string | undefined;
  readonly instanceIds: readonly string[];
}

/** A candidate that was tried in vain. */
interface FleetFailure {
  readonly candidate: FleetCandidate;
  readonly capacityType: PurchaseOption;
  readonly zone: string | undefined;
  readonly refusal: Refusal;
}

export interface FleetResult {
  readonly gains: readonly FleetGain[];
  readonly failures: readonly FleetFailure[];
}

/**
 * Buys what the fleet asks for. Candidates are tried in the order of the strategy; those that were
 * tried in vain are reported even when a later one succeeded, as EC2 does.
 */
export function fulfil(cloud: Cloud, request: FleetRequest, fleetId: string): FleetResult {
  const results = request.targets.map((target) =>
    fulfilTarget(cloud, { request, target, fleetId }),
  );
  return {
    gains: results.flatMap((result) => result.gains),
    failures: results.flatMap((result) => result.failures),
  };
}

interface Attempt {
  readonly request: FleetRequest;
  readonly target: FleetTarget;
  readonly fleetId: string;
}

function fulfilTarget(cloud: Cloud, attempt: Attempt): FleetResult {
  const { target } = attempt;
  const gains: FleetGain[] = [];
  const failures: FleetFailure[] = [];
  let missing = target.capacity;
  for (const { candidate, launch } of rankedOptions(cloud, attempt)) {
    const zone =
      launch.kind === 'resolved' ? launch.subnet.zone.name : candidate.specification.zone;
    const about = { candidate, capacityType: target.capacityType, zone };
    const instanceIds: string[] = [];
    while (missing > 0) {
      const bought = buy(cloud, attempt, { candidate, launch });
      if (typeof bought !== 'string') {
        failures.push({ ...about, refusal: bought });
        break;
      }
      instanceIds.push(bought);
      missing -= candidate.weight;
    }
    if (instanceIds.length > 0) gains.push({ ...about, instanceIds });
    if (missing <= 0) break;
  }
  return { gains, failures };
}

interface Option extends Choice {
  readonly candidate: FleetCandidate;
  readonly launch: Resolved | Refusal;
}

function rankedOptions(cloud: Cloud, { request, target }: Attempt): readonly Option[] {
  const options = request.candidates.map((candidate) => {
    const launch = resolveLaunch(cloud, candidate.specification, target.capacityType);
    return {
      candidate,
      launch,
      position: candidate.position,
      priority: candidate.priority,
      priceUsdPerHour:
        launch.kind === 'resolved'
          ? cloud.prices.at(offerOfLaunch(launch), cloud.time.nowMs())
          : undefined,
      interruptionBand: cloud.offers.interruptionBand(candidate.specification.instanceType ?? ''),
    };
  });
  return ranked(options, target.strategy);
}

/** The id of a new machine, or why there is none. */
function buy(
  cloud: Cloud,
  { request, fleetId }: Attempt,
  { candidate, launch }: Pick<Option, 'candidate' | 'launch'>,
): string | Refusal {
  if (launch.kind === 'refused') return launch;
  const capacity = capacityFor(cloud, launch, 1);
  if (capacity.kind === 'refused') return capacity;
  const { kind: _, placementGroup: __, ...order } = launch;
  const [instance] = cloud.instances.launch([
    {
      ...order,
      ...capacity.terms,
      tags: {
        ...candidate.tags,
        instance: {
          ...candidate.tags.instance,
          'aws:ec2:fleet-id': fleetId,
          'aws:ec2launchtemplate:id': candidate.template.id,
          'aws:ec2launchtemplate:version': '1',
        },
      },
      clientToken: request.clientToken,
    },
  ]);
  if (instance === undefined) throw new Error('launching one machine: none came');
  if (capacity.terms.capacityReservationId === undefined)
    cloud.shortages.take(offerOfLaunch(launch), 1);
  return instance.id;
}
