import { CreateTagsCommand, DescribeInstancesCommand, type Filter } from '@aws-sdk/client-ec2';
import { labels } from '../../../core/requirements/well-known.ts';
import type { CloudInstance } from '../../../ports/cloud-provider.ts';
import { Batcher } from '../calls/batcher.ts';
import { ExpiringMap } from '../calls/expiring-map.ts';
import { type AwsContext, minuteMs } from '../context.ts';
import { claimUidTag, clusterNameTag, tagList } from '../node-class/tags.ts';
import { cloudInstance, groupTag, type InstanceRecord, instanceRecord } from './instance-record.ts';
import { instanceIdOf } from './provider-id.ts';
import { type Ending, terminateAll } from './terminations.ts';

export interface Instances {
  /** Every instance ever bought for the claim that EC2 still shows, terminated ones included. */
  ofClaim(uid: string): Promise<readonly InstanceRecord[]>;
  /** Every instance that a group of claims was given, in any round, terminated ones included. */
  ofGroup(id: string): Promise<readonly InstanceRecord[]>;
  /** A launch that EC2 has accepted and may not show for some seconds yet. */
  remember(record: InstanceRecord): void;
  /** What is known without asking, from launches and listings of late. */
  recall(instanceId: string): InstanceRecord | undefined;
  /** What the latest listing said of it, if that is minutes old at most; EC2 is not asked. */
  listed(providerId: string): InstanceRecord | undefined;
  get(providerId: string): Promise<CloudInstance | undefined>;
  /** All that EC2 says of it; undefined when EC2 does not know it. */
  record(providerId: string): Promise<InstanceRecord | undefined>;
  list(): Promise<readonly CloudInstance[]>;
  terminate(providerId: string, signal: AbortSignal): Promise<'terminating' | 'gone'>;
  tag(providerId: string, tags: Readonly<Record<string, string>>): Promise<void>;
}

/** EC2 takes at most this many values in one filter. */
const maxKeys = 200;
/** All machines are listed every two minutes. */
const listedMs = 5 * minuteMs;

export function createInstances(
  context: AwsContext,
  parts: {
    /** A machine of a reservation is gone for certain. */
    readonly onReservedGone?: ((reservationId: string) => void) | undefined;
  } = {},
): Instances {
  const { clock } = context;
  const launches = new ExpiringMap<string, InstanceRecord>(clock, minuteMs);
  let seen = new Map<string, InstanceRecord>();
  let seenAtMs = -Infinity;
  const batching = { clock, metrics: context.metrics, idleMs: 100, maxMs: 1_000, maxKeys };

  const byId = new Batcher<InstanceRecord>({
    ...batching,
    name: 'describe_instances',
    run: async (ids) => {
      const records = await describe(context, [{ Name: 'instance-id', Values: [...ids] }]);
      return new Map(records.map((record) => [record.id, record]));
    },
  });
  const byClaim = new Batcher<readonly InstanceRecord[]>({
    ...batching,
    name: 'describe_instances',
    run: async (uids) => {
      const records = await describe(context, [{ Name: `tag:${claimUidTag}`, Values: [...uids] }]);
      return new Map(uids.map((uid) => [uid, records.filter((record) => record.claimUid === uid)]));
    },
  });
  const byGroup = new Batcher<readonly InstanceRecord[]>({
    ...batching,
    name: 'describe_instances',
    run: async (ids) => {
      const Values = ids.map((id) => `${id}.*`);
      const records = await describe(context, [{ Name: `tag:${groupTag}`, Values }]);
      const isOf = (id: string) => (record: InstanceRecord) =>
        record.launchGroup?.startsWith(`${id}.`) === true;
      return new Map(ids.map((id) => [id, records.filter(isOf(id))]));
    },
  });
  const terminations = new Batcher<Ending>({
    ...batching,
    name: 'terminate_instances',
    run: (ids) => terminateAll(context, ids),
  });

  /** The newest word on the instance. One launched moments ago may be missing from EC2's answers. */
  async function find(id: string): Promise<InstanceRecord | undefined> {
    return (await byId.ask(id)) ?? launches.get(id);
  }

  async function list(): Promise<readonly CloudInstance[]> {
    const askedAtMs = clock.nowMs();
    const records = await describe(context, [
      { Name: 'tag-key', Values: [labels.nodePool] },
      { Name: 'tag-key', Values: [labels.nodeClass] },
      { Name: `tag:${clusterNameTag}`, Values: [context.settings.clusterName] },
      {
        Name: 'instance-state-name',
        Values: ['pending', 'running', 'stopping', 'stopped', 'shutting-down'],
      },
    ]);
    seen = new Map(records.map((record) => [record.id, record]));
    seenAtMs = askedAtMs;
    return records.map(cloudInstance).filter((instance) => instance !== undefined);
  }

  async function terminate(
    providerId: string,
    signal: AbortSignal,
  ): Promise<'terminating' | 'gone'> {
    const id = instanceIdOf(providerId);
    signal.throwIfAborted();
    const record = await find(id);
    signal.throwIfAborted();
    if (record === undefined || record.state === 'terminated') {
      if (record?.capacityType === 'reserved' && record.reservationId !== undefined)
        parts.onReservedGone?.(record.reservationId);
      return 'gone';
    }
    if (record.state === 'shutting-down') return 'terminating';
    const outcome = await terminations.ask(id);
    if (typeof outcome === 'object') throw outcome.error;
    // Not found, yet launched within the last minute: EC2 will come to know it. Ask again.
    return outcome === 'gone' && !launches.has(id) ? 'gone' : 'terminating';
  }

  return {
    ofClaim: async (uid) => (await byClaim.ask(uid)) ?? [],
    ofGroup: async (id) => (await byGroup.ask(id)) ?? [],
    remember: (record) => launches.set(record.id, record),
    recall: (id) => launches.get(id) ?? seen.get(id),
    listed: (providerId) =>
      clock.nowMs() - seenAtMs < listedMs ? seen.get(instanceIdOf(providerId)) : undefined,
    async get(providerId) {
      const record = await find(instanceIdOf(providerId));
      return record === undefined ? undefined : cloudInstance(record);
    },
    record: (providerId) => find(instanceIdOf(providerId)),
    list,
    terminate,
    tag: (providerId, tags) => tagInstance(context, instanceIdOf(providerId), tags),
  };
}

async function describe(context: AwsContext, Filters: Filter[]): Promise<InstanceRecord[]> {
  const records: InstanceRecord[] = [];
  let NextToken: string | undefined;
  do {
    const command = new DescribeInstancesCommand({ Filters, MaxResults: 1_000, NextToken });
    const page = await context.caller.call(
      {
        service: 'ec2',
        action: 'DescribeInstances',
        priority: 'describe',
        doing: 'describing instances',
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
    for (const reservation of page.Reservations ?? [])
      records.push(...(reservation.Instances ?? []).map(instanceRecord));
    NextToken = page.NextToken;
  } while (NextToken);
  return records.sort(byLaunch);
}

function byLaunch(a: InstanceRecord, b: InstanceRecord): number {
  return a.launchedAtMs !== b.launchedAtMs ? a.launchedAtMs - b.launchedAtMs : a.id < b.id ? -1 : 1;
}

async function tagInstance(
  context: AwsContext,
  id: string,
  tags: Readonly<Record<string, string>>,
): Promise<void> {
  const command = new CreateTagsCommand({ Resources: [id], Tags: tagList(tags) });
  await context.caller.call(
    { service: 'ec2', action: 'CreateTags', priority: 'create', doing: `tagging ${id}` },
    (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
  );
}
