import type { Cloud } from '../cloud.ts';
import { AwsError, dryRunPassed, missingParameter } from '../wire/aws-error.ts';
import { flag, type Parameters, text, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { isoMillis } from '../wire/times.ts';
import type { XmlObject } from '../wire/xml.ts';
import { type Filterable, filtered } from './filter.ts';
import { type Instance, isAlive, stateCodes } from './instance.ts';
import { reservationXml, stateXml } from './instance-xml.ts';
import { paged } from './paging.ts';

export function instanceActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return {
    DescribeInstances: (parameters) => describeInstances(cloud, parameters),
    DescribeInstanceStatus: (parameters) => describeStatus(cloud, parameters),
    TerminateInstances: (parameters) => terminateInstances(cloud, parameters),
  };
}

function describeInstances(cloud: Cloud, parameters: Parameters): XmlObject {
  const page = paged(
    filtered(askedInstances(cloud, parameters), parameters, instanceFilters(cloud)),
    parameters,
    { keyOf: sequenceKey, minimum: 5, maximum: 1000 },
  );
  return {
    reservationSet: byReservation(page.items).map((group) => reservationXml(cloud, group)),
    nextToken: page.nextToken,
  };
}

function byReservation(instances: readonly Instance[]): readonly (readonly Instance[])[] {
  const groups = new Map<string, Instance[]>();
  for (const instance of instances) {
    const group = groups.get(instance.reservationId);
    if (group === undefined) groups.set(instance.reservationId, [instance]);
    else group.push(instance);
  }
  return [...groups.values()];
}

function sequenceKey(instance: Instance): string {
  return String(instance.sequence).padStart(12, '0');
}

/** The instances that the request names, or all. Unknown and malformed ids are refused. */
function askedInstances(cloud: Cloud, parameters: Parameters): readonly Instance[] {
  const ids = texts(parameters, 'InstanceId');
  if (ids.length === 0) return cloud.instances.all();
  if (text(parameters, 'MaxResults') !== undefined) {
    throw new AwsError(
      'InvalidParameterCombination',
      'The parameter instancesSet cannot be used with the parameter maxResults',
    );
  }
  return requireInstances(cloud, ids);
}

function requireInstances(cloud: Cloud, ids: readonly string[]): readonly Instance[] {
  const malformed = ids.find((id) => !/^i-[0-9a-f]{8,17}$/.test(id));
  if (malformed !== undefined) {
    throw new AwsError('InvalidInstanceID.Malformed', `Invalid id: "${malformed}"`);
  }
  const unknown = ids.filter((id) => cloud.instances.get(id) === undefined);
  if (unknown.length > 0) throw unknownInstances(unknown);
  const asked = new Set(ids);
  return cloud.instances.all().filter((instance) => asked.has(instance.id));
}

function unknownInstances(ids: readonly string[]): AwsError {
  return new AwsError(
    'InvalidInstanceID.NotFound',
    ids.length === 1
      ? `The instance ID '${ids[0]}' does not exist`
      : `The instance IDs '${ids.join(', ')}' do not exist`,
  );
}

function instanceFilters(cloud: Cloud): Filterable<Instance> {
  const alive =
    (read: (instance: Instance) => string | readonly string[]) => (instance: Instance) =>
      isAlive(instance) ? read(instance) : [];
  return {
    attributes: {
      architecture: (instance) => instance.order.image.architecture,
      'availability-zone': (instance) => instance.order.subnet.zone.name,
      'availability-zone-id': (instance) => instance.order.subnet.zone.id,
      'client-token': (instance) => instance.order.clientToken,
      'iam-instance-profile.arn': (instance) => instance.order.instanceProfile?.arn ?? [],
      'image-id': (instance) => instance.order.image.id,
      'instance-id': (instance) => instance.id,
      'instance-lifecycle': (instance) => (instance.order.capacityType === 'spot' ? 'spot' : []),
      'instance-state-code': (instance) => String(stateCodes[instance.state]),
      'instance-state-name': (instance) => instance.state,
      'instance-type': (instance) => instance.order.type.name,
      'instance.group-id': alive((instance) => instance.order.securityGroups.map(({ id }) => id)),
      'key-name': (instance) => instance.order.specification.keyName ?? [],
      'launch-time': (instance) => isoMillis(instance.launchedAtMs),
      'network-interface.network-interface-id': alive((instance) =>
        instance.interfaces.map(({ id }) => id),
      ),
      'owner-id': () => cloud.accountId,
      'private-dns-name': alive((instance) => instance.privateDnsName),
      'private-ip-address': alive((instance) => instance.privateIp),
      'reservation-id': (instance) => instance.reservationId,
      'spot-instance-request-id': (instance) => instance.spotRequestId ?? [],
      'subnet-id': alive((instance) => instance.order.subnet.id),
      tenancy: (instance) => instance.order.specification.tenancy,
      'vpc-id': alive(() => cloud.account().vpc.id),
    },
    tagsOf: (instance) => cloud.tags.of(instance.id),
  };
}

function describeStatus(cloud: Cloud, parameters: Parameters): XmlObject {
  const isEverything = flag(parameters, 'IncludeAllInstances') ?? false;
  const asked = askedInstances(cloud, parameters).filter(
    (instance) => isEverything || instance.state === 'running',
  );
  const page = paged(
    filtered(asked, parameters, {
      attributes: {
        ...instanceFilters(cloud).attributes,
        // No machine here is ever impaired and no event is ever scheduled.
        'event.code': () => [],
        'instance-status.status': healthOf,
        'system-status.status': healthOf,
        'instance-status.reachability': () => 'passed',
        'system-status.reachability': () => 'passed',
      },
    }),
    parameters,
    { keyOf: sequenceKey, minimum: 5, maximum: 1000 },
  );
  return { instanceStatusSet: page.items.map(statusXml), nextToken: page.nextToken };
}

function healthOf(instance: Instance): string {
  return instance.state === 'running' ? 'ok' : 'not-applicable';
}

function statusXml(instance: Instance): XmlObject {
  const health = {
    status: healthOf(instance),
    details: [{ name: 'reachability', status: 'passed' }],
  };
  return {
    instanceId: instance.id,
    availabilityZone: instance.order.subnet.zone.name,
    availabilityZoneId: instance.order.subnet.zone.id,
    instanceState: stateXml(instance),
    systemStatus: health,
    instanceStatus: health,
  };
}

/** All or nothing: one unknown id and no machine is touched. */
function terminateInstances(cloud: Cloud, parameters: Parameters): XmlObject {
  const ids = texts(parameters, 'InstanceId');
  if (ids.length === 0) throw missingParameter('InstanceId');
  const instances = requireInstances(cloud, ids);
  if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
  return {
    instancesSet: instances.map((instance) => {
      const previousState = stateXml(instance);
      cloud.instances.terminate(instance.id);
      return { instanceId: instance.id, currentState: stateXml(instance), previousState };
    }),
  };
}
