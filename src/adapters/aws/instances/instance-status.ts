import {
  DescribeInstanceStatusCommand,
  type Filter,
  type InstanceStatus,
  type InstanceStatusSummary,
} from '@aws-sdk/client-ec2';
import type { InstanceTrouble } from '../../../ports/cloud-provider.ts';
import type { AwsContext } from '../context.ts';

/** A failed check may be a matter of moments; only one that has lasted counts. */
const patienceMs = 120_000;

const eventCodes = [
  'instance-reboot',
  'system-reboot',
  'system-maintenance',
  'instance-retirement',
  'instance-stop',
];

/** Instances whose checks have failed for two minutes, or for which EC2 plans work on the host. */
export async function findTroubles(context: AwsContext): Promise<readonly InstanceTrouble[]> {
  const nowMs = context.clock.nowMs();
  const [instance, system, events] = await Promise.all([
    describe(context, { Name: 'instance-status.status', Values: ['impaired'] }),
    describe(context, { Name: 'system-status.status', Values: ['impaired'] }),
    describe(context, { Name: 'event.code', Values: eventCodes }),
  ]);
  return [
    ...instance
      .filter((one) => hasFailed(one.InstanceStatus, nowMs))
      .map((one) => trouble(one, 'InstanceStatus', 'the checks of the instance fail')),
    ...system
      .filter((one) => hasFailed(one.SystemStatus, nowMs))
      .map((one) => trouble(one, 'SystemStatus', 'the checks of its host fail')),
    ...events
      .filter((one) => plansOf(one).length > 0)
      .map((one) => trouble(one, 'EventStatus', `AWS plans ${plansOf(one).join(', ')}`)),
  ];
}

function hasFailed(status: InstanceStatusSummary | undefined, nowMs: number): boolean {
  return (status?.Details ?? []).some(
    ({ Status, ImpairedSince }) =>
      Status === 'failed' &&
      ImpairedSince !== undefined &&
      nowMs - ImpairedSince.getTime() >= patienceMs,
  );
}

/** What is still to come: EC2 goes on showing work that is done, and says so in its description. */
function plansOf({ Events = [] }: InstanceStatus): readonly string[] {
  return Events.filter(({ Description = '' }) => !/^\[(Completed|Canceled)\]/.test(Description))
    .map(({ Code = '' }) => Code)
    .filter((code) => eventCodes.includes(code));
}

function trouble(
  status: InstanceStatus,
  category: InstanceTrouble['category'],
  text: string,
): InstanceTrouble {
  return { instanceId: status.InstanceId ?? '', category, text };
}

async function describe(context: AwsContext, filter: Filter): Promise<readonly InstanceStatus[]> {
  const found: InstanceStatus[] = [];
  let NextToken: string | undefined;
  do {
    const command = new DescribeInstanceStatusCommand({
      Filters: [filter],
      MaxResults: 1_000,
      NextToken,
    });
    const page = await context.caller.call(
      {
        service: 'ec2',
        action: 'DescribeInstanceStatus',
        priority: 'describe',
        doing: 'looking for unhealthy instances',
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
    found.push(...(page.InstanceStatuses ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  return found;
}
