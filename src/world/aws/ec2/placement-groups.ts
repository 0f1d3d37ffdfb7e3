import type { Cloud } from '../cloud.ts';
import { AwsError, dryRunPassed, invalidParameter } from '../wire/aws-error.ts';
import { flag, integer, type Parameters, requiredText, text, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import type { XmlObject } from '../wire/xml.ts';
import { filtered } from './filter.ts';
import { isAlive } from './instance.ts';
import { newId } from './instance-parts.ts';
import { readTagSpecifications } from './launch-specification.ts';
import type { PlacementGroup } from './placement-group-store.ts';
import { chosen } from './selection.ts';
import { tagSet } from './tag-store.ts';

/** Placement groups: made, listed, deleted. */
export function placementGroupActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return {
    CreatePlacementGroup: (parameters) => ({
      return: true,
      placementGroup: groupXml(cloud, create(cloud, parameters)),
    }),
    DeletePlacementGroup: (parameters) => remove(cloud, parameters),
    DescribePlacementGroups: (parameters) => describe(cloud, parameters),
  };
}

const maxPartitions = 7;

function create(cloud: Cloud, parameters: Parameters): PlacementGroup {
  const name = requiredText(parameters, 'GroupName');
  const strategy = strategyNamed(text(parameters, 'Strategy') ?? 'cluster');
  const asked = integer(parameters, 'PartitionCount');
  if (asked !== undefined && (strategy !== 'partition' || asked < 1 || asked > maxPartitions)) {
    throw invalidParameter(`Invalid value '${asked}' for PartitionCount.`);
  }
  if (cloud.placementGroups.named(name) !== undefined) {
    throw new AwsError(
      'InvalidPlacementGroup.Duplicate',
      `The Placement Group '${name}' already exists.`,
    );
  }
  if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
  const partitionCount = strategy === 'partition' ? (asked ?? 2) : 0;
  const group = { id: newId(cloud.random, 'pg'), name, strategy, partitionCount };
  cloud.placementGroups.put(group);
  cloud.tags.put(group.id, readTagSpecifications(parameters)['placement-group'] ?? {});
  return group;
}

function strategyNamed(name: string): PlacementGroup['strategy'] {
  if (name === 'cluster' || name === 'partition' || name === 'spread') return name;
  throw invalidParameter(`Invalid value '${name}' for Strategy.`);
}

function unknownGroup(name: string): AwsError {
  return new AwsError('InvalidPlacementGroup.Unknown', `The Placement Group '${name}' is unknown.`);
}

function remove(cloud: Cloud, parameters: Parameters): XmlObject {
  const name = requiredText(parameters, 'GroupName');
  const group = cloud.placementGroups.named(name);
  if (group === undefined) throw unknownGroup(name);
  if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
  const isUsed = cloud.instances
    .all()
    .some((instance) => isAlive(instance) && instance.order.placement?.groupId === group.id);
  if (isUsed) {
    throw new AwsError(
      'InvalidPlacementGroup.InUse',
      `The placement group '${name}' is in use and may not be deleted.`,
    );
  }
  cloud.placementGroups.delete(name);
  cloud.tags.forget(group.id);
  return { return: true };
}

function describe(cloud: Cloud, parameters: Parameters): XmlObject {
  const named = chosen(cloud.placementGroups.all(), texts(parameters, 'GroupName'), {
    idOf: (group) => group.name,
    refuse: unknownGroup,
  });
  const asked = chosen(named, texts(parameters, 'GroupId'), {
    idOf: (group) => group.id,
    refuse: (id) =>
      new AwsError(
        'InvalidPlacementGroupId.NotFound',
        `The Placement Group ID '${id}' does not exist.`,
      ),
  });
  const found = filtered(asked, parameters, {
    attributes: {
      'group-id': (group) => group.id,
      'group-name': (group) => group.name,
      state: () => 'available',
      strategy: (group) => group.strategy,
    },
    tagsOf: (group) => cloud.tags.of(group.id),
  });
  return { placementGroupSet: found.map((group) => groupXml(cloud, group)) };
}

function groupXml(cloud: Cloud, group: PlacementGroup): XmlObject {
  return {
    groupName: group.name,
    groupId: group.id,
    groupArn: `arn:aws:ec2:${cloud.region}:${cloud.accountId}:placement-group/${group.name}`,
    strategy: group.strategy,
    spreadLevel: group.strategy === 'spread' ? 'rack' : undefined,
    partitionCount: group.strategy === 'partition' ? group.partitionCount : undefined,
    state: 'available',
    tagSet: tagSet(cloud.tags.of(group.id)),
  };
}
