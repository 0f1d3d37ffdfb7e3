import type { Clock } from '../../ports/clock.ts';
import type { CloudProvider, InterruptionQueue } from '../../ports/cloud-provider.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { createAwsCaller } from './calls/call.ts';
import type { AwsClients } from './calls/clients.ts';
import type { AwsContext } from './context.ts';
import { createInstances } from './instances/instances.ts';
import { createInterruptionQueue } from './interruption/interruption-queue.ts';
import { createFleets } from './launch/fleets.ts';
import { createLaunch } from './launch/launch.ts';
import { createLaunchTemplates } from './launch/launch-templates.ts';
import { createClusterFacts } from './node-class/cluster.ts';
import { createImages } from './node-class/images.ts';
import { createInstanceProfiles } from './node-class/instance-profiles.ts';
import { resolveNodeClass } from './node-class/node-class-resolution.ts';
import { createRefusalBook } from './node-class/refusal-book.ts';
import { createSecurityGroups } from './node-class/security-groups.ts';
import { createSubnets } from './node-class/subnets.ts';
import type { AwsSettings } from './settings.ts';
import { createInstanceTypes } from './types/instance-types.ts';
import { UnavailableOfferings } from './types/unavailable-offerings.ts';

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
  const unavailable = new UnavailableOfferings(options.clock);
  const cluster = createClusterFacts(context);
  const subnets = createSubnets(context);
  const instances = createInstances(context);
  const instanceTypes = createInstanceTypes(context, unavailable);
  const templates = createLaunchTemplates(context);
  const profiles = createInstanceProfiles(context);
  const images = createImages(context);
  const securityGroups = createSecurityGroups(context);
  const launch = createLaunch(context, {
    fleets: createFleets(context, { cluster, templates, subnets }),
    instances,
    instanceTypes,
    subnets,
    refusals: createRefusalBook(context, { unavailable, subnets }),
  });
  const provider: CloudProvider = {
    instanceTypes: (nodeClass) => instanceTypes.list(nodeClass),
    launch,
    terminate: (providerId, signal) => instances.terminate(providerId, signal),
    get: (providerId) => instances.get(providerId),
    list: () => instances.list(),
    tag: (providerId, tags) => instances.tag(providerId, tags),
    resolve: (nodeClass) =>
      resolveNodeClass(context, { cluster, subnets, securityGroups, images, profiles }, nodeClass),
    release: async (nodeClass) => {
      await profiles.release(nodeClass);
      await templates.release(nodeClass);
    },
    collectLaunchTemplates: () => templates.collect(),
  };
  const queueName = options.settings.interruptionQueue;
  return {
    provider,
    interruptions:
      queueName === undefined || queueName === ''
        ? undefined
        : createInterruptionQueue(context, { queueName, instances, unavailable }),
  };
}
