import {
  DescribePlacementGroupsCommand,
  type PlacementGroup as Ec2PlacementGroup,
  type PlacementStrategy,
} from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import { codeOf, isNotFound } from '../calls/errors.ts';
import { ExpiringMap, Remembered } from '../calls/expiring-map.ts';
import { type AwsContext, hourMs, minuteMs } from '../context.ts';

export interface PlacementGroup {
  readonly id: string;
  readonly name: string;
  readonly strategy: PlacementStrategy;
  /** 0 unless the strategy is `partition`. */
  readonly partitionCount: number;
}

export interface PlacementGroups {
  /**
   * The group that the class names, asked anew every minute; undefined where it names none or the
   * named one does not exist. Rejects when EC2 does not answer.
   */
  find(nodeClass: EC2NodeClass): Promise<PlacementGroup | undefined>;
  /** The last group that was found for the class, for a day: it serves through an outage. */
  recall(nodeClass: EC2NodeClass): PlacementGroup | undefined;
}

export function createPlacementGroups(context: AwsContext): PlacementGroups {
  const answers = new Remembered<PlacementGroup | undefined>(context.clock, minuteMs);
  const found = new ExpiringMap<string, PlacementGroup>(context.clock, 24 * hourMs);

  async function ask(key: string, selector: Selector): Promise<PlacementGroup | undefined> {
    const group = await describe(context, selector);
    if (group !== undefined) found.set(key, group);
    return group;
  }

  return {
    async find({ spec: { placementGroupSelector: selector } }) {
      if (selector === undefined) return undefined;
      const key = keyOf(selector);
      return answers.get(key, () => ask(key, selector));
    },
    recall({ spec: { placementGroupSelector: selector } }) {
      return selector === undefined ? undefined : found.get(keyOf(selector));
    },
  };
}

type Selector = NonNullable<EC2NodeClass['spec']['placementGroupSelector']>;

function keyOf({ id, name }: Selector): string {
  return `${id ?? ''}/${name ?? ''}`;
}

async function describe(
  context: AwsContext,
  { id, name }: Selector,
): Promise<PlacementGroup | undefined> {
  const command = new DescribePlacementGroupsCommand({
    ...(id === undefined ? {} : { GroupIds: [id] }),
    ...(name === undefined ? {} : { GroupNames: [name] }),
    Filters: [{ Name: 'state', Values: ['available'] }],
  });
  try {
    const answer = await context.caller.call(
      {
        service: 'ec2',
        action: 'DescribePlacementGroups',
        priority: 'describe',
        doing: `finding placement group ${id ?? name}`,
        otherwise: 'PlacementGroupResolutionFailed',
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
    const [first] = answer.PlacementGroups ?? [];
    return first === undefined ? undefined : placementGroup(first);
  } catch (error) {
    if (isNotFound(error) || isUnknownGroup(error)) return undefined;
    throw error;
  }
}

/** EC2 has words of its own for placement groups that are not there. */
function isUnknownGroup(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'InvalidPlacementGroup.Unknown' || code === 'InvalidPlacementGroupId.NotFound';
}

function placementGroup(group: Ec2PlacementGroup): PlacementGroup {
  const strategy = group.Strategy ?? 'cluster';
  return {
    id: group.GroupId ?? '',
    name: group.GroupName ?? '',
    strategy,
    partitionCount: strategy === 'partition' ? (group.PartitionCount ?? 0) : 0,
  };
}
