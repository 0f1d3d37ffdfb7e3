import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  DeleteInstanceProfileCommand,
  GetInstanceProfileCommand,
  type InstanceProfile,
  ListInstanceProfilesCommand,
  RemoveRoleFromInstanceProfileCommand,
} from '@aws-sdk/client-iam';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import type { CallSpec } from '../calls/call.ts';
import { codeOf, isNotFound } from '../calls/errors.ts';
import { ExpiringMap, Remembered } from '../calls/expiring-map.ts';
import { type AwsContext, hourMs, minuteMs } from '../context.ts';
import { contentHash } from '../launch/content-hash.ts';
import { clusterNameTag, tagList } from './tags.ts';

export interface InstanceProfiles {
  /** The profile to launch with: the one given, or ours for the role, made if it is missing. */
  ensure(nodeClass: EC2NodeClass): Promise<string>;
  /** Deletes every profile that was made for the node class. */
  release(nodeClass: EC2NodeClass): Promise<void>;
  /**
   * Deletes profiles of this cluster that are not in use, of any class. One that was made or handed
   * out within the hour is kept: its class may not have told of it yet. Returns their names.
   */
  collect(inUse: ReadonlySet<string>): Promise<readonly string[]>;
}

const protectedMs = hourMs;

export function createInstanceProfiles(context: AwsContext): InstanceProfiles {
  const ready = new Remembered<string>(context.clock, 15 * minuteMs);
  const handedOut = new ExpiringMap<string, true>(context.clock, protectedMs);

  async function ensure(nodeClass: EC2NodeClass): Promise<string> {
    if (nodeClass.spec.instanceProfile !== undefined) return nodeClass.spec.instanceProfile;
    const name = profileName(context, nodeClass);
    handedOut.set(name, true);
    return ready.get(name, () => make(context, nodeClass, name));
  }

  async function release(nodeClass: EC2NodeClass): Promise<void> {
    for (const profile of await profilesUnder(context, profilePath(context, nodeClass))) {
      await remove(context, profile);
      ready.forget(profile.InstanceProfileName ?? '');
    }
  }

  async function collect(inUse: ReadonlySet<string>): Promise<readonly string[]> {
    if (context.settings.isIsolatedVpc === true) return [];
    const collected: string[] = [];
    for (const profile of await profilesUnder(context, clusterPath(context))) {
      const name = profile.InstanceProfileName ?? '';
      const ageMs = context.clock.nowMs() - (profile.CreateDate?.getTime() ?? 0);
      if (inUse.has(name) || handedOut.has(name) || ageMs < protectedMs) continue;
      await remove(context, profile);
      collected.push(name);
    }
    return collected.sort();
  }

  return { ensure, release, collect };
}

/**
 * A role has a profile of its own: changing the role of a node class makes a new profile, so that
 * running machines keep theirs. Derived, not random: a crash after creation finds it again.
 */
function profileName(context: AwsContext, nodeClass: EC2NodeClass): string {
  const { clusterName, region } = context.settings;
  const { name, uid } = nodeClass.metadata;
  const suffix = `_${contentHash(region, name, uid, roleName(nodeClass))}`;
  return clusterName.slice(0, 128 - suffix.length) + suffix;
}

function clusterPath(context: AwsContext): string {
  const { clusterName, region } = context.settings;
  return `/karpenter/${region}/${clusterName}/`;
}

function profilePath(context: AwsContext, nodeClass: EC2NodeClass): string {
  return `${clusterPath(context)}${nodeClass.metadata.uid ?? nodeClass.metadata.name}/`;
}

function roleName(nodeClass: EC2NodeClass): string {
  return nodeClass.spec.role?.split('/').at(-1) ?? '';
}

async function make(
  context: AwsContext,
  nodeClass: EC2NodeClass,
  InstanceProfileName: string,
): Promise<string> {
  const wanted = roleName(nodeClass);
  const profile =
    (await get(context, InstanceProfileName)) ??
    (await create(context, nodeClass, InstanceProfileName));
  const roles = (profile?.Roles ?? []).map((role) => role.RoleName ?? '');
  if (roles.includes(wanted)) return InstanceProfileName;
  for (const RoleName of roles) await removeRole(context, InstanceProfileName, RoleName);
  await addRole(context, InstanceProfileName, wanted);
  return InstanceProfileName;
}

function spec(action: string, doing: string): CallSpec {
  return { service: 'iam', action, priority: 'create', doing, otherwise: 'InstanceProfileFailed' };
}

async function get(context: AwsContext, name: string): Promise<InstanceProfile | undefined> {
  try {
    const answer = await context.caller.call(
      spec('GetInstanceProfile', `reading instance profile ${name}`),
      (abortSignal) =>
        context.clients.iam.send(new GetInstanceProfileCommand({ InstanceProfileName: name }), {
          abortSignal,
        }),
    );
    return answer.InstanceProfile;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function create(
  context: AwsContext,
  nodeClass: EC2NodeClass,
  name: string,
): Promise<InstanceProfile | undefined> {
  const { clusterName, region } = context.settings;
  const command = new CreateInstanceProfileCommand({
    InstanceProfileName: name,
    Path: profilePath(context, nodeClass),
    Tags: tagList({
      ...nodeClass.spec.tags,
      [`kubernetes.io/cluster/${clusterName}`]: 'owned',
      [clusterNameTag]: clusterName,
      [labels.nodeClass]: nodeClass.metadata.name,
      [labels.region]: region,
    }).map(({ Key = '', Value = '' }) => ({ Key, Value })),
  });
  try {
    const answer = await context.caller.call(
      spec('CreateInstanceProfile', `creating instance profile ${name}`),
      (abortSignal) => context.clients.iam.send(command, { abortSignal }),
    );
    return answer.InstanceProfile;
  } catch (error) {
    // A repeat after a lost answer.
    if (/^EntityAlreadyExists/.test(codeOf(error) ?? '')) return get(context, name);
    throw error;
  }
}

async function addRole(context: AwsContext, profile: string, RoleName: string): Promise<void> {
  const command = new AddRoleToInstanceProfileCommand({ InstanceProfileName: profile, RoleName });
  try {
    await context.caller.call(
      spec('AddRoleToInstanceProfile', `adding role ${RoleName} to instance profile ${profile}`),
      (abortSignal) => context.clients.iam.send(command, { abortSignal }),
    );
  } catch (error) {
    // One role is all a profile holds; after a lost answer it holds ours already.
    const again = /^LimitExceeded/.test(codeOf(error) ?? '')
      ? await get(context, profile)
      : undefined;
    if (!again?.Roles?.some((role) => role.RoleName === RoleName)) throw error;
  }
}

async function removeRole(context: AwsContext, profile: string, RoleName: string): Promise<void> {
  const input = { InstanceProfileName: profile, RoleName };
  await unlessGone(
    context.caller.call(
      spec('RemoveRoleFromInstanceProfile', `removing a role from instance profile ${profile}`),
      (abortSignal) =>
        context.clients.iam.send(new RemoveRoleFromInstanceProfileCommand(input), { abortSignal }),
    ),
  );
}

async function remove(context: AwsContext, profile: InstanceProfile): Promise<void> {
  const name = profile.InstanceProfileName ?? '';
  for (const role of profile.Roles ?? []) await removeRole(context, name, role.RoleName ?? '');
  await unlessGone(
    context.caller.call(
      spec('DeleteInstanceProfile', `deleting instance profile ${name}`),
      (abortSignal) =>
        context.clients.iam.send(new DeleteInstanceProfileCommand({ InstanceProfileName: name }), {
          abortSignal,
        }),
    ),
  );
}

async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function profilesUnder(
  context: AwsContext,
  path: string,
): Promise<readonly InstanceProfile[]> {
  const profiles: InstanceProfile[] = [];
  let Marker: string | undefined;
  do {
    const command = new ListInstanceProfilesCommand({
      PathPrefix: path,
      Marker,
    });
    const page = await context.caller.call(
      spec('ListInstanceProfiles', 'listing instance profiles'),
      (abortSignal) => context.clients.iam.send(command, { abortSignal }),
    );
    profiles.push(...(page.InstanceProfiles ?? []));
    Marker = page.IsTruncated ? page.Marker : undefined;
  } while (Marker);
  return profiles;
}
