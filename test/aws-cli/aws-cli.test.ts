import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { type AwsEndpoint, createAwsEndpoint } from '../../src/world/aws/endpoint.ts';
import { type ServedHttp, serveHttp } from '../../src/world/serve-http.ts';
import { clusterFacts, shippedCatalog } from './embedded-aws.ts';

const cli = process.env.AWS_CLI ?? 'aws';
const version = installedVersion();
const name =
  version === undefined
    ? `the AWS CLI (skipped: no '${cli}' on PATH; install awscli or set AWS_CLI)`
    : `the AWS CLI (${version})`;

function installedVersion(): string | undefined {
  try {
    return execFileSync(cli, ['--version'], { encoding: 'utf8' }).split(' ')[0];
  } catch {
    return undefined;
  }
}

let endpoint: AwsEndpoint;
let served: ServedHttp;
let home: string;

const run = promisify(execFile);

/** Runs one command against the endpoint, with nothing of the user's own settings in reach. */
async function aws(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(cli, args, {
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      AWS_ENDPOINT_URL: served.url,
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'anything',
      AWS_SECRET_ACCESS_KEY: 'anything',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_PAGER: '',
      // A shim may look for its versions below HOME.
      ...(process.env.PYENV_ROOT === undefined ? {} : { PYENV_ROOT: process.env.PYENV_ROOT }),
    },
  });
  return stdout.trim();
}

/** The answer to the query, as text; words of the command may not contain spaces, `more` may. */
async function ask(query: string, command: string, ...more: readonly string[]): Promise<string> {
  return aws(...command.split(' '), ...more, '--query', query, '--output', 'text');
}

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await aws(...args, '--output', 'json'));
}

const imageParameter =
  '/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/x86_64/standard/recommended/image_id';

const discovered = '--filters Name=tag:karpenter.sh/discovery,Values=demo';

function latestImage(): Promise<string> {
  return ask('Parameter.Value', `ssm get-parameter --name ${imageParameter}`);
}

describe.skipIf(version === undefined)(name, () => {
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'aws-cli-'));
    endpoint = createAwsEndpoint({
      clock: createSystemClock(),
      random: createSeededRandom(1),
      catalog: shippedCatalog(),
      region: 'us-east-1',
      // Fast enough that machines run before the next command starts.
      speed: 200,
      cluster: () => clusterFacts,
    });
    served = await serveHttp({ handle: endpoint.handle });
  });

  afterAll(async () => {
    await served.close();
    rmSync(home, { recursive: true, force: true });
  });

  test('runs instances, finds them by tag and state, and terminates them', async () => {
    const image = await latestImage();
    expect(image).toMatch(/^ami-[0-9a-f]{17}$/);
    const subnet = await ask(
      'sort_by(Subnets,&AvailabilityZone)[0].SubnetId',
      `ec2 describe-subnets ${discovered}`,
    );
    const id = await ask(
      'Instances[0].InstanceId',
      `ec2 run-instances --image-id ${image} --instance-type m5.large --subnet-id ${subnet}`,
      ...['--user-data', 'hello', '--count', '1', '--tag-specifications'],
      'ResourceType=instance,Tags=[{Key=karpenter.sh/nodepool,Value=spot-pool}]',
    );
    await aws('ec2', 'wait', 'instance-running', '--instance-ids', id);
    const listed = await ask(
      'Reservations[].Instances[].[InstanceId,InstanceType,Placement.AvailabilityZone]',
      'ec2 describe-instances --filters Name=tag:karpenter.sh/nodepool,Values=spot-pool',
      'Name=instance-state-name,Values=running',
    );
    expect(listed).toBe(`${id}\tm5.large\tus-east-1a`);
    const state = await ask(
      'TerminatingInstances[0].CurrentState.Name',
      `ec2 terminate-instances --instance-ids ${id}`,
    );
    expect(state).toBe('shutting-down');
    await expect(
      aws('ec2', 'terminate-instances', '--instance-ids', 'i-0123456789abcdef0'),
    ).rejects.toThrow(
      /An error occurred \(InvalidInstanceID\.NotFound\) when calling the TerminateInstances operation/,
    );
  });

  test('describes types, over several pages', async () => {
    const facts = await ask(
      'InstanceTypes[0].[VCpuInfo.DefaultVCpus,MemoryInfo.SizeInMiB,NetworkInfo.MaximumNetworkInterfaces]',
      'ec2 describe-instance-types --instance-types m5.large',
    );
    expect(facts).toBe('2\t8192\t3');
    const { InstanceTypes } = await json(
      ...['ec2', 'describe-instance-types', '--filters', 'Name=instance-type,Values=m*'],
      ...['--query', '{InstanceTypes: InstanceTypes[].InstanceType}'],
    );
    expect(InstanceTypes).toContain('m5.large');
    expect((InstanceTypes as string[]).length).toBeGreaterThan(300);
  });

  test('describes subnets', async () => {
    const blocks = await ask('sort(Subnets[].CidrBlock)', `ec2 describe-subnets ${discovered}`);
    expect(blocks).toBe('10.0.0.0/19\t10.0.32.0/19\t10.0.64.0/19');
  });

  test('creates a fleet from a launch template', async () => {
    const data = JSON.stringify({ ImageId: await latestImage() });
    await aws(
      ...['ec2', 'create-launch-template', '--launch-template-name', 'cli'],
      ...['--launch-template-data', data],
    );
    const config = {
      LaunchTemplateSpecification: { LaunchTemplateName: 'cli', Version: '$Latest' },
      Overrides: [{ InstanceType: 'm5.large', AvailabilityZone: 'us-east-1b' }],
    };
    const fleet = await json(
      ...['ec2', 'create-fleet', '--type', 'instant', '--target-capacity-specification'],
      'TotalTargetCapacity=2,DefaultTargetCapacityType=spot',
      ...['--spot-options', 'AllocationStrategy=price-capacity-optimized'],
      ...['--launch-template-configs', JSON.stringify([config])],
    );
    const InstanceIds = [expect.any(String), expect.any(String)];
    expect(fleet).toMatchObject({
      Instances: [{ InstanceType: 'm5.large', Lifecycle: 'spot', InstanceIds }],
    });
    const requests = 'ec2 describe-spot-instance-requests';
    expect(await ask('length(SpotInstanceRequests)', requests)).toBe('2');
  });

  test('reads parameters and says when one does not exist', async () => {
    await expect(aws('ssm', 'get-parameter', '--name', '/no/such')).rejects.toThrow(
      /ParameterNotFound/,
    );
  });

  test('describes the cluster', async () => {
    const query = 'cluster.[status,version,endpoint]';
    const facts = await ask(query, 'eks describe-cluster --name demo');
    expect(facts).toBe(`ACTIVE\t1.36\t${clusterFacts.endpoint}`);
    await expect(aws('eks', 'describe-cluster', '--name', 'other')).rejects.toThrow(
      /ResourceNotFoundException/,
    );
  });

  test('receives messages from the interruption queue', async () => {
    // Version 1 sends SQS to an old public name unless the endpoint is on the command line.
    const sqs = (...args: readonly string[]): Promise<string> =>
      aws('sqs', ...args, '--endpoint-url', served.url, '--output', 'text');
    const url = await sqs('get-queue-url', '--queue-name', 'demo', '--query', 'QueueUrl');
    expect(url).toBe(`${served.url}/123456789012/demo`);
    await sqs('purge-queue', '--queue-url', url);
    await sqs('send-message', '--queue-url', url, '--message-body', 'hello');
    const waiting = ['--wait-time-seconds', '1', '--query', 'Messages[0].Body'];
    expect(await sqs('receive-message', '--queue-url', url, ...waiting)).toBe('hello');
  });

  test('reads instance profiles', async () => {
    const role = await ask(
      'InstanceProfile.Roles[0].RoleName',
      'iam get-instance-profile --instance-profile-name demo-system-node',
    );
    expect(role).toBe('demo-system-node');
    await expect(
      aws('iam', 'get-instance-profile', '--instance-profile-name', 'x'),
    ).rejects.toThrow(/NoSuchEntity/);
  });

  test('reads the price list', async () => {
    const fields = { instanceType: 'm5.large', regionCode: 'us-east-1', tenancy: 'Shared' };
    const filters = Object.entries(fields).map(
      ([field, value]) => `Type=TERM_MATCH,Field=${field},Value=${value}`,
    );
    const products = await ask(
      'PriceList[0]',
      'pricing get-products --service-code AmazonEC2 --filters',
      ...filters,
    );
    expect(products).toContain('"pricePerUnit":{"USD":"0.0960000000"}');
  });

  test('knows who is calling', async () => {
    expect(await ask('Account', 'sts get-caller-identity')).toBe('123456789012');
  });

  test('is told by name what is not offered', async () => {
    await expect(aws('ec2', 'describe-nat-gateways')).rejects.toThrow(
      /InvalidAction.*The action DescribeNatGateways is not valid for this web service/,
    );
  });
});
