import type { Clock } from '../../ports/clock.ts';
import type { CloudProvider, InterruptionQueue } from '../../ports/cloud-provider.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { createAwsCaller } from './calls/call.ts';
import type { AwsClients } from './calls/clients.ts';
import { measured } from './calls/measured.ts';
import type { AwsContext } from './context.ts';
import { findDrift } from './drift.ts';
import { findTroubles } from './instances/instance-status.ts';
import { createInstances } from './instances/instances.ts';
import { repairPolicies } from './instances/repair-policies.ts';
import { createInterruptionQueue } from './interruption/interruption-queue.ts';
import { createFleets } from './launch/fleets.ts';
import { createLaunch } from './launch/launch.ts';
import { createLaunchTemplates } from './launch/launch-templates.ts';
import { createClusterFacts } from './node-class/cluster.ts';
import { createDryRuns } from './node-class/dry-runs.ts';
import { createImages } from './node-class/images.ts';
import { createInstanceProfiles } from './node-class/instance-profiles.ts';
import { resolveNodeClass } from './node-class/node-class-resolution.ts';
import { createRefusalBook } from './node-class/refusal-book.ts';
import { createSecurityGroups } from './node-class/security-groups.ts';
import { createSubnets } from './node-class/subnets.ts';
import { createPlacementGroups } from './placement/placement-groups.ts';
import { createReservations } from './reservations/reservations.ts';
import type { AwsSettings } from './settings.ts';
import { createInstanceTypes } from './types/instance-types.ts';
import { LearnedMachines } from './types/learned-machines.ts';
import { createTypeMetrics } from './types/type-metrics.ts';
import { UnavailableOfferings } from './types/unavailable-offerings.ts';
import { createZonalShifts } from './zonal-shift/zonal-shifts.ts';

interface AwsProviderOptions {
  readonly clients: AwsClients;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
  readonly settings: AwsSettings;
}

/** AWS as the controllers see it. The queue is undefined when the settings name none. */
interface AwsCloud {
  readonly provider: CloudProvider;
  readonly interruptions: InterruptionQueue | undefined;
}

/** The cloud provider alone. */
export function createAwsProvider(options: AwsProviderOptions): CloudProvider {
  return createAwsCloud(options).provider;
}

/**
 * The cloud provider and the interruption queue, which share what they learn: a spot machine that
 * is taken away tells that its offering is scarce. Nothing is asked of AWS before the first call.
 */
export function createAwsCloud(options: AwsProviderOptions): AwsCloud {
  const context: AwsContext = {
    ...options,
    metrics: options.metrics,
    caller: createAwsCaller(options),
  };
  const unavailable = new UnavailableOfferings(options.clock, options.log);
  const reservations = createReservations(context);
  const placementGroups = createPlacementGroups(context);
  const learned = new LearnedMachines(options.clock);
  const cluster = createClusterFacts(context);
  const subnets = createSubnets(context);
  const instances = createInstances(context, {
    onReservedGone: (id) => reservations.noteTermination(id),
  });
  const instanceTypes = createInstanceTypes(context, {
    ...{ unavailable, reservations, placementGroups, learned },
    shifts: createZonalShifts(context),
  });
  const typeMetrics = createTypeMetrics(
    options.metrics,
    options.settings.hasAllTypeMetrics === true ? 'all' : 'in-use',
  );
  const templates = createLaunchTemplates(context);
  const profiles = createInstanceProfiles(context);
  const images = createImages(context);
  const securityGroups = createSecurityGroups(context);
  const resolution = {
    ...{ cluster, subnets, securityGroups, images, profiles, reservations, placementGroups },
    instanceTypes,
    dryRuns: createDryRuns(context, templates),
  };
  const launch = createLaunch(context, {
    fleets: createFleets(context, { cluster, templates, subnets, placementGroups }),
    instances,
    instanceTypes,
    subnets,
    refusals: createRefusalBook(context, { unavailable, subnets, reservations }),
    reservations,
  });
  const provider: CloudProvider = {
    instanceTypes: async (nodeClass) => {
      const types = await instanceTypes.list(nodeClass);
      typeMetrics.noteTypes(instanceTypes.latest());
      return types;
    },
    launch,
    terminate: (providerId, signal) => instances.terminate(providerId, signal),
    get: (providerId) => instances.get(providerId),
    list: async () => {
      const machines = await instances.list();
      typeMetrics.noteMachines(machines);
      return machines;
    },
    tag: (providerId, tags) => instances.tag(providerId, tags),
    resolve: (nodeClass) => resolveNodeClass(context, resolution, nodeClass),
    release: async (nodeClass) => {
      await profiles.release(nodeClass);
      await templates.release(nodeClass);
    },
    drift: (claim, nodeClass) =>
      findDrift({ instances, instanceTypes, placementGroups }, claim, nodeClass),
    collectLaunchTemplates: () => templates.collect(),
    collectInstanceProfiles: (inUse) => profiles.collect(inUse),
    troubles: () => findTroubles(context),
    repairPolicies,
    learn: (machine) => learned.note(machine),
  };
  const queueName = options.settings.interruptionQueue;
  return {
    provider: measured(provider, context),
    interruptions:
      queueName === undefined || queueName === ''
        ? undefined
        : createInterruptionQueue(context, {
            queueName,
            instances,
            unavailable,
            onReservationLost: (id) => reservations.noteExhausted(id),
          }),
  };
}
