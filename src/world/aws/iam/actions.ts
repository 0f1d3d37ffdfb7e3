import type { Role, Tags } from '../account.ts';
import type { Cloud } from '../cloud.ts';
import { AwsError } from '../wire/aws-error.ts';
import {
  child,
  children,
  integer,
  type Parameters,
  requiredText,
  text,
  texts,
} from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { isoSeconds } from '../wire/times.ts';
import type { XmlObject } from '../wire/xml.ts';
import type { InstanceProfile } from './instance-profiles.ts';

export function iamActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  const profiles = cloud.profiles;
  const named = (parameters: Parameters) => requiredText(parameters, 'InstanceProfileName');
  return {
    GetRole: (parameters) => ({
      Role: roleXml(cloud, requireRole(cloud, requiredText(parameters, 'RoleName'))),
    }),
    GetInstanceProfile: (parameters) => ({
      InstanceProfile: profileXml(cloud, profiles().get(named(parameters))),
    }),
    CreateInstanceProfile: (parameters) => createProfile(cloud, parameters),
    DeleteInstanceProfile: (parameters) => {
      profiles().delete(named(parameters));
      return undefined;
    },
    AddRoleToInstanceProfile: (parameters) => {
      profiles().get(named(parameters));
      const role = requireRole(cloud, requiredText(parameters, 'RoleName'));
      profiles().addRole(named(parameters), role);
      return undefined;
    },
    RemoveRoleFromInstanceProfile: (parameters) => {
      profiles().removeRole(named(parameters), requiredText(parameters, 'RoleName'));
      return undefined;
    },
    TagInstanceProfile: (parameters) => {
      const { name, tags } = profiles().get(named(parameters));
      profiles().setTags(name, { ...tags, ...readTags(parameters) });
      return undefined;
    },
    UntagInstanceProfile: (parameters) => {
      const { name, tags } = profiles().get(named(parameters));
      const keys = texts(child(parameters, 'TagKeys'), 'member');
      const kept = Object.entries(tags).filter(([key]) => !keys.includes(key));
      profiles().setTags(name, Object.fromEntries(kept));
      return undefined;
    },
    ListInstanceProfiles: (parameters) => {
      const prefix = text(parameters, 'PathPrefix') ?? '/';
      const found = profiles()
        .all()
        .filter((profile) => profile.path.startsWith(prefix));
      return listXml(cloud, found, parameters);
    },
    ListInstanceProfilesForRole: (parameters) => {
      const role = requireRole(cloud, requiredText(parameters, 'RoleName'));
      const found = profiles()
        .all()
        .filter((profile) => profile.role?.name === role.name);
      return listXml(cloud, found, parameters);
    },
  };
}

function requireRole(cloud: Cloud, name: string): Role {
  const role = cloud.account().roles.find((candidate) => candidate.name === name);
  if (role === undefined) {
    throw new AwsError('NoSuchEntity', `The role with name ${name} cannot be found.`, {
      status: 404,
    });
  }
  return role;
}

function createProfile(cloud: Cloud, parameters: Parameters): XmlObject {
  const name = requiredText(parameters, 'InstanceProfileName');
  if (!/^[\w+=,.@-]{1,128}$/.test(name)) {
    throw new AwsError(
      'ValidationError',
      `The specified value for instanceProfileName is invalid: ${name}`,
    );
  }
  const profile = cloud.profiles().create({
    name,
    path: text(parameters, 'Path') ?? '/',
    tags: readTags(parameters),
    nowMs: cloud.time.nowMs(),
  });
  return { InstanceProfile: profileXml(cloud, profile) };
}

function readTags(parameters: Parameters): Tags {
  return Object.fromEntries(
    children(child(parameters, 'Tags'), 'member').map((tag) => [
      text(tag, 'Key') ?? '',
      text(tag, 'Value') ?? '',
    ]),
  );
}

/** A page of profiles; the marker is the name of the last one. */
function listXml(
  cloud: Cloud,
  profiles: readonly InstanceProfile[],
  parameters: Parameters,
): XmlObject {
  const marker = text(parameters, 'Marker') ?? '';
  const rest = profiles.filter((profile) => profile.name > marker);
  const page = rest.slice(0, integer(parameters, 'MaxItems') ?? 100);
  const isTruncated = rest.length > page.length;
  return {
    InstanceProfiles: page.map((profile) => profileXml(cloud, profile)),
    IsTruncated: isTruncated,
    Marker: isTruncated ? page.at(-1)?.name : undefined,
  };
}

function profileXml(cloud: Cloud, profile: InstanceProfile): XmlObject {
  return {
    Path: profile.path,
    InstanceProfileName: profile.name,
    InstanceProfileId: profile.id,
    Arn: profile.arn,
    CreateDate: isoSeconds(profile.createdAtMs),
    Roles: profile.role === undefined ? [] : [roleXml(cloud, profile.role)],
    Tags: Object.entries(profile.tags)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([Key, Value]) => ({ Key, Value })),
  };
}

function roleXml(cloud: Cloud, role: Role): XmlObject {
  const trust = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: role.trustedService },
        Action: 'sts:AssumeRole',
      },
    ],
  };
  return {
    Path: '/',
    RoleName: role.name,
    RoleId: role.id,
    Arn: role.arn,
    CreateDate: isoSeconds(cloud.startedAtMs),
    AssumeRolePolicyDocument: encodeURIComponent(JSON.stringify(trust)),
    Description: role.description,
    MaxSessionDuration: 3600,
  };
}
