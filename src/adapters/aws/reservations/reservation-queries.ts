import {
  type CapacityReservation,
  DescribeCapacityReservationsCommand,
  type DescribeCapacityReservationsCommandInput,
  type Filter,
} from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import { codeOf } from '../calls/errors.ts';
import type { AwsContext } from '../context.ts';
import { tagFilters } from '../node-class/tags.ts';

type Query = Pick<DescribeCapacityReservationsCommandInput, 'CapacityReservationIds' | 'Filters'>;

const isActive: Filter = { Name: 'state', Values: ['active'] };

/** One question per id, since one unknown id spoils a question for several; one per other term. */
export function reservationQueries(nodeClass: EC2NodeClass): readonly Query[] {
  return (nodeClass.spec.capacityReservationSelectorTerms ?? []).map((term) => {
    if (term.id !== undefined) return { CapacityReservationIds: [term.id], Filters: [isActive] };
    return {
      Filters: [
        isActive,
        ...(term.ownerID === undefined ? [] : [{ Name: 'owner-id', Values: [term.ownerID] }]),
        ...(term.instanceMatchCriteria === undefined
          ? []
          : [{ Name: 'instance-match-criteria', Values: [term.instanceMatchCriteria] }]),
        ...tagFilters(term.tags ?? {}),
      ],
    };
  });
}

/** What EC2 has for the question, page by page. An id that it does not know is nothing. */
export async function describeReservations(
  context: AwsContext,
  query: Query,
): Promise<readonly CapacityReservation[]> {
  const found: CapacityReservation[] = [];
  // EC2 refuses page sizes together with ids.
  const MaxResults = query.CapacityReservationIds === undefined ? 1_000 : undefined;
  let NextToken: string | undefined;
  try {
    do {
      const command = new DescribeCapacityReservationsCommand({ ...query, MaxResults, NextToken });
      const page = await context.caller.call(
        {
          service: 'ec2',
          action: 'DescribeCapacityReservations',
          priority: 'describe',
          doing: 'finding capacity reservations',
        },
        (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
      );
      found.push(...(page.CapacityReservations ?? []));
      NextToken = page.NextToken;
    } while (NextToken);
  } catch (error) {
    if (codeOf(error) !== 'InvalidCapacityReservationId.NotFound') throw error;
  }
  return found;
}
