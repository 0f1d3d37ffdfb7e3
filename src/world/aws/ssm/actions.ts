import { byName } from '../../../core/text-order.ts';
import type { Cloud } from '../cloud.ts';
import { keyOfToken, tokenOfKey } from '../ec2/paging.ts';
import type { SsmParameter } from '../images.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { JsonAction } from '../wire/protocol.ts';
import { epochSeconds } from '../wire/times.ts';

type Input = Readonly<Record<string, unknown>>;

/** SSM's parameter store, for reading. It holds what AWS publishes about images. */
export function ssmActions(cloud: Cloud): Readonly<Record<string, JsonAction>> {
  const find = (name: string): SsmParameter | undefined =>
    cloud.account().published.parameters.find((parameter) => parameter.name === plainName(name));
  return {
    GetParameter: (input) => {
      const name = String(input.Name ?? '');
      const parameter = find(name);
      if (parameter === undefined) {
        throw new AwsError('ParameterNotFound', `Parameter ${name} not found.`);
      }
      return { Parameter: parameterJson(cloud, parameter) };
    },
    GetParameters: (input) => {
      const names = namesOf(input);
      return {
        Parameters: names
          .flatMap((name) => find(name) ?? [])
          .map((parameter) => parameterJson(cloud, parameter)),
        InvalidParameters: names.filter((name) => find(name) === undefined),
      };
    },
    GetParametersByPath: (input) => parametersByPath(cloud, input),
  };
}

/** An ARN names the same parameter as the path inside it. */
function plainName(name: string): string {
  return /^arn:aws[\w-]*:ssm:[^:]*:[^:]*:parameter(\/.*)$/.exec(name)?.[1] ?? name;
}

function namesOf(input: Input): readonly string[] {
  const names = input.Names;
  if (!Array.isArray(names) || names.length < 1 || names.length > 10) {
    throw new AwsError('ValidationException', 'Names must hold one to ten names.');
  }
  return names.map(String);
}

function parametersByPath(cloud: Cloud, input: Input): object {
  const path = String(input.Path ?? '').replace(/\/*$/, '/');
  const isRecursive = input.Recursive === true;
  const token = typeof input.NextToken === 'string' ? input.NextToken : '';
  const after = token === '' ? '' : keyOfToken(token);
  const size = Number(input.MaxResults ?? 10);
  const below = cloud
    .account()
    .published.parameters.filter(({ name }) => name.startsWith(path) && name > after)
    .filter(({ name }) => isRecursive || !name.slice(path.length).includes('/'))
    .toSorted(byName);
  const page = below.slice(0, size);
  const last = page.at(-1);
  return {
    Parameters: page.map((parameter) => parameterJson(cloud, parameter)),
    ...(last !== undefined && below.length > size ? { NextToken: tokenOfKey(last.name) } : {}),
  };
}

function parameterJson(cloud: Cloud, parameter: SsmParameter): object {
  return {
    Name: parameter.name,
    Type: 'String',
    Value: parameter.value,
    Version: 1,
    LastModifiedDate: epochSeconds(parameter.modifiedAtMs),
    ARN: `arn:aws:ssm:${cloud.region}::parameter${parameter.name}`,
    DataType: 'text',
  };
}
