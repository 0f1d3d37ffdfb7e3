import type { HttpRequest } from '../../../ports/http.ts';
import { AwsError } from './aws-error.ts';
import { type Parameters, parseParameters } from './parameters.ts';

export type ServiceName =
  | 'ec2'
  | 'iam'
  | 'sts'
  | 'ssm'
  | 'sqs'
  | 'pricing'
  | 'eks'
  | 'arc-zonal-shift';

const serviceNames: ReadonlySet<string> = new Set([
  'ec2',
  'iam',
  'sts',
  'ssm',
  'sqs',
  'pricing',
  'eks',
  'arc-zonal-shift',
]);

/** One request, told apart by service and read as far as every protocol needs it. */
export interface ServiceCall {
  readonly service: ServiceName | undefined;
  /** From the credential scope; undefined when the request is not signed. */
  readonly region: string | undefined;
  readonly isSigned: boolean;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The host the caller reached us under, for the URLs of queues. */
  readonly host: string;
  /** `AmazonSSM.GetParameter`, for the JSON protocols. */
  readonly target: string | undefined;
  readonly body: string;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
}

/** Reads what all protocols share. Never refuses: that is left to the service, in its own format. */
export function readCall(request: HttpRequest, requestId: string): ServiceCall {
  const url = new URL(request.path, 'http://localhost');
  const body = bodyText(request.body);
  const scope = credentialScope(request, url.searchParams);
  const call = {
    region: scope?.region,
    isSigned: scope !== undefined,
    method: request.method.toUpperCase(),
    path: url.pathname,
    query: url.searchParams,
    host: request.headers.host ?? 'localhost',
    target: request.headers['x-amz-target'],
    body,
    requestId,
    signal: request.signal,
  };
  return { ...call, service: asService(scope?.service) ?? guessService(call) };
}

function bodyText(body: string | Uint8Array | undefined): string {
  if (body === undefined) return '';
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

interface CredentialScope {
  readonly region: string;
  readonly service: string;
}

// `AWS4-HMAC-SHA256 Credential=AKID/20261116/us-east-1/ec2/aws4_request, SignedHeaders=…`
function credentialScope(
  request: HttpRequest,
  query: URLSearchParams,
): CredentialScope | undefined {
  const header = request.headers.authorization;
  const credential =
    /Credential=([^,\s]+)/.exec(header ?? '')?.[1] ?? query.get('X-Amz-Credential');
  if (credential === undefined || credential === null) return undefined;
  const parts = credential.split('/');
  return { region: parts.at(-3) ?? '', service: parts.at(-2) ?? '' };
}

function asService(name: string | undefined): ServiceName | undefined {
  return name !== undefined && serviceNames.has(name) ? (name as ServiceName) : undefined;
}

const serviceByTarget: Readonly<Record<string, ServiceName>> = {
  AmazonSSM: 'ssm',
  AmazonSQS: 'sqs',
  AWSPriceListService: 'pricing',
};

const serviceByVersion: Readonly<Record<string, ServiceName>> = {
  '2016-11-15': 'ec2',
  '2010-05-08': 'iam',
  '2011-06-15': 'sts',
  '2012-11-05': 'sqs',
};

// Only for callers without a usable credential scope, so that their refusal has the right format.
function guessService(call: {
  readonly host: string;
  readonly target: string | undefined;
  readonly path: string;
  readonly body: string;
  readonly query: URLSearchParams;
}): ServiceName | undefined {
  const fromTarget = serviceByTarget[call.target?.split('.')[0] ?? ''];
  if (fromTarget !== undefined) return fromTarget;
  const label = call.host.split('.').find((part) => serviceNames.has(part));
  if (label !== undefined) return asService(label);
  if (call.path.startsWith('/clusters')) return 'eks';
  if (call.path.startsWith('/managedresources')) return 'arc-zonal-shift';
  const version = call.query.get('Version') ?? new URLSearchParams(call.body).get('Version') ?? '';
  return serviceByVersion[version];
}

/** The nested parameters of a query request, whether they came in the body or on the URL. */
export function readParameters(call: ServiceCall): Parameters {
  return parseParameters([...call.query, ...new URLSearchParams(call.body)]);
}

/** The JSON object of a JSON request. */
export function readJson(call: ServiceCall): Readonly<Record<string, unknown>> {
  if (call.body === '') return {};
  try {
    const value: unknown = JSON.parse(call.body);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new AwsError('SerializationException', 'The request body is not a JSON object.');
}
