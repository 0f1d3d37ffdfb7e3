import { EC2Client } from '@aws-sdk/client-ec2';
import { EKSClient } from '@aws-sdk/client-eks';
import { IAMClient } from '@aws-sdk/client-iam';
import { PricingClient } from '@aws-sdk/client-pricing';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';
import type { HttpHandler } from '../../../ports/http.ts';
import { createInProcessHandler } from './in-process-handler.ts';

/** One client per AWS service that Karpenter calls. */
export interface AwsClients {
  readonly ec2: EC2Client;
  readonly eks: EKSClient;
  readonly iam: IAMClient;
  readonly pricing: PricingClient;
  readonly sqs: SQSClient;
  readonly ssm: SSMClient;
  readonly sts: STSClient;
}

interface AwsClientOptions {
  /** Left out, the SDK finds it in its usual places (AWS_REGION, the shared config file). */
  readonly region?: string | undefined;
  /** Answers requests in this process, in place of a socket, with fixed credentials. */
  readonly send?: HttpHandler | undefined;
  /** One address for every service; left out, the SDK's own, or AWS_ENDPOINT_URL. */
  readonly endpoint?: string | undefined;
}

/**
 * SDK clients that never retry by themselves: `call.ts` does, on our clock. Without `send` they
 * find credentials, region and endpoints where the SDK always does.
 */
export function createAwsClients(options: AwsClientOptions = {}): AwsClients {
  silenceNodeVersionWarning();
  const settings =
    options.send === undefined ? overSockets(options) : inProcess(options, options.send);
  return {
    ec2: new EC2Client(settings),
    eks: new EKSClient(settings),
    iam: new IAMClient(settings),
    pricing: new PricingClient({ ...settings, ...pricingRegion(options.region) }),
    sqs: new SQSClient(settings),
    ssm: new SSMClient(settings),
    sts: new STSClient(settings),
  };
}

interface ClientSettings {
  readonly region?: string;
  readonly endpoint?: string;
  readonly maxAttempts: number;
  readonly retryStrategy: typeof noRetries;
  readonly customUserAgent: string;
}

function shared(options: AwsClientOptions): ClientSettings {
  return {
    ...(options.region === undefined ? {} : { region: options.region }),
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    maxAttempts: 1,
    retryStrategy: noRetries,
    customUserAgent: 'karpenter-ts',
  };
}

function overSockets(options: AwsClientOptions): ClientSettings & { requestHandler: object } {
  // Deadlines are ours, per call, through the abort signal; the SDK's own timers stay off.
  return { ...shared(options), requestHandler: { connectionTimeout: 10_000 } };
}

/** Every value that the SDK would otherwise read from files or the environment is given. */
function inProcess(options: AwsClientOptions, send: HttpHandler) {
  return {
    ...shared(options),
    region: options.region ?? 'us-east-1',
    endpoint: options.endpoint ?? 'http://aws.internal',
    credentials: { accessKeyId: 'AKIAINPROCESS', secretAccessKey: 'in-process' },
    requestHandler: createInProcessHandler(send),
    defaultsMode: 'standard' as const,
    retryMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: '',
    authSchemePreference: [],
    disableClockSkewCorrection: true,
    defaultUserAgentProvider: async () => [],
  };
}

/** One attempt, whatever happens. The SDK's strategies wait on timers of their own, even for one attempt. */
const noRetries = {
  mode: 'standard',
  acquireInitialRetryToken: async () => ({ getRetryCount: () => 0, getRetryDelay: () => 0 }),
  refreshRetryTokenForRetry: async () => {
    throw new Error('retries are made by the caller');
  },
  recordSuccess: () => {},
};

/** The Pricing API lives in few regions; each answers for all. */
function pricingRegion(region: string | undefined): { readonly region?: string } {
  if (region === undefined) return {};
  if (region.startsWith('ap-')) return { region: 'ap-south-1' };
  if (region.startsWith('cn-')) return { region: 'cn-northwest-1' };
  if (region.startsWith('eu-')) return { region: 'eu-central-1' };
  return { region: 'us-east-1' };
}

/**
 * The SDK prints a warning on Node 20 that its versions of 2027 will need Node 22. We pin its
 * version and support Node 20, so the warning tells our users nothing that they can act on.
 */
function silenceNodeVersionWarning(): void {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
}
