import { DescribeInstancesCommand, DescribeRegionsCommand } from '@aws-sdk/client-ec2';
import { DescribeClusterCommand, ListClustersCommand } from '@aws-sdk/client-eks';
import { AssumeRoleCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { describe, expect, test } from 'vitest';
import { clusterFacts, embeddedAws, refusalOf } from '../../../test/aws-cli/embedded-aws.ts';
import { readBody } from '../../ports/http.ts';

function signed(service: string, region = 'us-east-1'): Readonly<Record<string, string>> {
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=AKIA/20261116/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`,
    'content-type': 'application/x-www-form-urlencoded',
  };
}

describe('the door of the endpoint', () => {
  test.each([
    {
      service: 'ec2',
      headers: { host: 'ec2.us-east-1.amazonaws.com' },
      path: '/',
      body: 'Action=DescribeInstances&Version=2016-11-15',
    },
    { service: 'iam', headers: {}, path: '/', body: 'Action=GetRole&Version=2010-05-08' },
    {
      service: 'ssm',
      headers: { 'x-amz-target': 'AmazonSSM.GetParameter' },
      path: '/',
      body: '{}',
    },
    { service: 'eks', headers: {}, path: '/clusters', body: undefined },
    { service: 'unknown', headers: {}, path: '/', body: undefined },
  ])(
    'a request to $service without an Authorization header is refused',
    async ({ headers, path, body }) => {
      const { endpoint } = embeddedAws();
      const response = await endpoint.handle({ method: 'POST', path, headers, body });
      expect(response.status).toBe(403);
      expect(await readBody(response)).toMatch(/MissingAuthenticationToken/);
    },
  );

  test('an action that EC2 does not have here is refused by name', async () => {
    const { endpoint } = embeddedAws();
    const response = await endpoint.handle({
      method: 'POST',
      path: '/',
      headers: signed('ec2'),
      body: 'Action=BuyTheMoon&Version=2016-11-15',
    });
    expect(response.status).toBe(400);
    expect(await readBody(response)).toContain(
      '<Code>InvalidAction</Code><Message>The action BuyTheMoon is not valid for this web service.</Message>',
    );
  });

  test('parameters may stand on the URL, and a body may come as bytes', async () => {
    const { endpoint } = embeddedAws();
    const onUrl = await endpoint.handle({
      method: 'GET',
      path: '/?Action=DescribeVpcs&Version=2016-11-15',
      headers: signed('ec2'),
    });
    const asBytes = await endpoint.handle({
      method: 'POST',
      path: '/',
      headers: signed('ec2'),
      body: new TextEncoder().encode('Action=DescribeVpcs&Version=2016-11-15'),
    });
    expect(await readBody(onUrl)).toContain('<cidrBlock>10.0.0.0/16</cidrBlock>');
    expect(await readBody(asBytes)).toContain('<cidrBlock>10.0.0.0/16</cidrBlock>');
  });

  test('a request signed for another region than the endpoint’s is refused', async () => {
    const { endpoint } = embeddedAws();
    const response = await endpoint.handle({
      method: 'POST',
      path: '/',
      headers: signed('ec2', 'eu-west-1'),
      body: 'Action=DescribeVpcs&Version=2016-11-15',
    });
    expect(response.status).toBe(401);
    expect(await readBody(response)).toContain('<Code>AuthFailure</Code>');
  });

  test('an action over its rate limit is throttled until tokens have come back', async () => {
    const aws = embeddedAws();
    aws.endpoint.market.setRateLimit('DescribeInstances', { perSecond: 1, burst: 2 });
    const call = (): Promise<string> => refusalOf(aws.ec2.send(new DescribeInstancesCommand({})));
    expect([await call(), await call(), await call()]).toEqual([
      'no refusal',
      'no refusal',
      'RequestLimitExceeded',
    ]);
    expect(await refusalOf(aws.ec2.send(new DescribeRegionsCommand({})))).toBe('no refusal');
    await aws.clock.runFor(1_000);
    expect(await call()).toBe('no refusal');
    aws.endpoint.market.clearRateLimits();
    expect(await call()).toBe('no refusal');
  });

  test('a region that the catalogue does not know is an error that names those it knows', () => {
    expect(() => embeddedAws({ region: 'moon-1' })).toThrow(/moon-1.*us-east-1/);
  });
});

describe('EKS and STS', () => {
  test('the cluster is active and says how to reach its API server', async () => {
    const aws = embeddedAws();
    const { clusters } = await aws.eks.send(new ListClustersCommand({}));
    expect(clusters).toEqual(['demo']);
    const { cluster } = await aws.eks.send(new DescribeClusterCommand({ name: 'demo' }));
    expect(cluster).toMatchObject({
      status: 'ACTIVE',
      endpoint: clusterFacts.endpoint,
      version: '1.36',
      arn: 'arn:aws:eks:us-east-1:123456789012:cluster/demo',
      certificateAuthority: { data: clusterFacts.certificateAuthority },
      kubernetesNetworkConfig: { serviceIpv4Cidr: '10.100.0.0/16' },
    });
    expect(cluster?.createdAt?.getTime()).toBe(Date.UTC(2026, 10, 16, 9));
    const other = aws.eks.send(new DescribeClusterCommand({ name: 'other' }));
    expect(await refusalOf(other)).toBe('ResourceNotFoundException');
  });

  test('callers are the root of the account, and may take roles', async () => {
    const aws = embeddedAws({ accountId: '999999999999' });
    const identity = await aws.sts.send(new GetCallerIdentityCommand({}));
    expect(identity.Account).toBe('999999999999');
    const assumed = await aws.sts.send(
      new AssumeRoleCommand({
        RoleArn: 'arn:aws:iam::999999999999:role/KarpenterNodeRole-demo',
        RoleSessionName: 'story',
      }),
    );
    expect(assumed.Credentials?.Expiration?.getTime()).toBe(Date.UTC(2026, 10, 16, 10));
    expect(assumed.AssumedRoleUser?.Arn).toContain('assumed-role/KarpenterNodeRole-demo/story');
  });
});
