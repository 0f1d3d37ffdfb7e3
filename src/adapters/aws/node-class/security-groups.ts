import {
  DescribeSecurityGroupsCommand,
  type Filter,
  type SecurityGroup,
} from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import { Remembered } from '../calls/expiring-map.ts';
import { type AwsContext, minuteMs } from '../context.ts';
import { tagFilters } from './tags.ts';

interface NamedGroup {
  readonly id: string;
  readonly name?: string;
}

export interface SecurityGroups {
  /** What the node class selects, by id. */
  find(nodeClass: EC2NodeClass): Promise<readonly NamedGroup[]>;
}

export function createSecurityGroups(context: AwsContext): SecurityGroups {
  const found = new Remembered<readonly NamedGroup[]>(context.clock, minuteMs);
  return {
    find(nodeClass) {
      const { uid, name } = nodeClass.metadata;
      const terms = nodeClass.spec.securityGroupSelectorTerms;
      return found.get(`${uid ?? name}/${JSON.stringify(terms)}`, async () => {
        const answers = await Promise.all(queriesOf(nodeClass).map((one) => query(context, one)));
        return groupsById(answers.flat());
      });
    },
  };
}

/** All ids in one query, all names in one, each set of tags in one of its own. */
function queriesOf(nodeClass: EC2NodeClass): Filter[][] {
  const terms = nodeClass.spec.securityGroupSelectorTerms;
  const ids = terms.flatMap((term) => (term.id === undefined ? [] : [term.id]));
  const names = terms.flatMap((term) => (term.name === undefined ? [] : [term.name]));
  const queries = terms.flatMap((term) =>
    term.id === undefined && term.name === undefined && term.tags !== undefined
      ? [tagFilters(term.tags)]
      : [],
  );
  if (names.length > 0) queries.unshift([{ Name: 'group-name', Values: names }]);
  if (ids.length > 0) queries.unshift([{ Name: 'group-id', Values: ids }]);
  return queries;
}

async function query(context: AwsContext, Filters: Filter[]): Promise<SecurityGroup[]> {
  const groups: SecurityGroup[] = [];
  let NextToken: string | undefined;
  do {
    const command = new DescribeSecurityGroupsCommand({ Filters, MaxResults: 500, NextToken });
    const page = await context.caller.call(
      {
        service: 'ec2',
        action: 'DescribeSecurityGroups',
        priority: 'describe',
        doing: 'finding security groups',
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
    groups.push(...(page.SecurityGroups ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return groups;
}

function groupsById(groups: readonly SecurityGroup[]): readonly NamedGroup[] {
  const byId = new Map<string, NamedGroup>();
  for (const { GroupId: id, GroupName: name } of groups) {
    if (id !== undefined) byId.set(id, { id, ...(name === undefined ? {} : { name }) });
  }
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
