import { hexDigits } from '../../../ports/random.ts';
import type { Cloud } from '../cloud.ts';
import { stableIamId } from '../stable-id.ts';
import { AwsError } from '../wire/aws-error.ts';
import { integer, type Parameters, requiredText } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { isoSeconds } from '../wire/times.ts';
import type { XmlObject } from '../wire/xml.ts';

export function stsActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return {
    GetCallerIdentity: () => ({
      UserId: cloud.accountId,
      Account: cloud.accountId,
      Arn: `arn:aws:iam::${cloud.accountId}:root`,
    }),
    AssumeRole: (parameters) => assumeRole(cloud, parameters),
  };
}

function assumeRole(cloud: Cloud, parameters: Parameters): XmlObject {
  const roleArn = requiredText(parameters, 'RoleArn');
  const sessionName = requiredText(parameters, 'RoleSessionName');
  const roleName = roleArn.split('/').at(-1) ?? '';
  const seconds = integer(parameters, 'DurationSeconds') ?? 3600;
  if (!/^arn:aws[\w-]*:iam::\d{12}:role\//.test(roleArn)) {
    throw new AwsError('ValidationError', `${roleArn} is invalid`);
  }
  return {
    Credentials: {
      AccessKeyId: `ASIA${hexDigits(cloud.random, 16).toUpperCase()}`,
      SecretAccessKey: hexDigits(cloud.random, 40),
      SessionToken: hexDigits(cloud.random, 64),
      Expiration: isoSeconds(cloud.time.nowMs() + seconds * 1000),
    },
    AssumedRoleUser: {
      AssumedRoleId: `${stableIamId('AROA', roleName)}:${sessionName}`,
      Arn: `arn:aws:sts::${cloud.accountId}:assumed-role/${roleName}/${sessionName}`,
    },
  };
}
