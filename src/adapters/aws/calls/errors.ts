import { CloudError, type CloudErrorKind } from '../../../ports/cloud-provider.ts';

/** What can be read from a failed AWS call, whatever the service's protocol. */
export interface AwsFault {
  /** The service's error code; `Transport` when there was no answer at all. */
  readonly code: string;
  readonly message: string;
  readonly status: number | undefined;
}

/** The fault behind a rejection of an SDK client; undefined for a programmer's error. */
export function faultOf(error: unknown): AwsFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const fields = error as Error & {
    readonly $metadata?: { readonly httpStatusCode?: number };
    readonly $fault?: string;
    readonly Code?: unknown;
    readonly code?: unknown;
  };
  const status = fields.$metadata?.httpStatusCode;
  if (fields.$fault !== undefined || status !== undefined) {
    const code = typeof fields.Code === 'string' ? fields.Code : error.name;
    return { code: shortCode(code), message: error.message, status };
  }
  if (isTransport(error, fields.code))
    return { code: 'Transport', message: error.message, status: undefined };
  if (/^(Credentials|Token)ProviderError$/.test(error.name))
    return { code: 'CredentialsProviderError', message: error.message, status: undefined };
  return undefined;
}

/** JSON services write `com.amazonaws.sqs#QueueDoesNotExist` or `AWS.SimpleQueueService.…`. */
function shortCode(code: string): string {
  return code.replace(/^.*#/, '').replace(/:.*$/, '');
}

function isTransport(error: Error, code: unknown): boolean {
  if (['TransportError', 'TimeoutError', 'AbortError'].includes(error.name)) return true;
  return typeof code === 'string' && /^(E[A-Z]+|UND_ERR_.*|ERR_(SSL|TLS|SOCKET).*)$/.test(code);
}

const throttling =
  /^(RequestLimitExceeded|Throttling|ThrottlingException|ThrottledException|RequestThrottled(Exception)?|TooManyRequestsException|PriorRequestNotComplete|EC2ThrottledException|SlowDown)$/;

export function isThrottling(fault: AwsFault): boolean {
  return throttling.test(fault.code) || fault.status === 429;
}

/** Whether the same request may succeed a moment later. */
export function isTransient(fault: AwsFault): boolean {
  return fault.code === 'Transport' || (fault.status !== undefined && fault.status >= 500);
}

const notFound = new Set([
  'InvalidInstanceID.NotFound',
  'InvalidLaunchTemplateName.NotFoundException',
  'InvalidLaunchTemplateId.NotFound',
  'InvalidLaunchTemplateId.NotFoundException',
  'InvalidSubnetID.NotFound',
  'InvalidGroup.NotFound',
  'InvalidAMIID.NotFound',
  'QueueDoesNotExist',
  'AWS.SimpleQueueService.NonExistentQueue',
  'NoSuchEntity',
  'NoSuchEntityException',
  'ParameterNotFound',
  'ResourceNotFoundException',
]);

/** Whether the call failed because the thing it names does not exist. */
export function isNotFound(error: unknown): boolean {
  return notFound.has(codeOf(error) ?? '');
}

/** The AWS error code behind a `CloudError` or an SDK error. */
export function codeOf(error: unknown): string | undefined {
  return faultOf(error instanceof CloudError ? error.cause : error)?.code;
}

interface Rule {
  readonly matches: RegExp;
  readonly kind: CloudErrorKind;
  readonly reason: string;
}

/**
 * The one table from AWS codes and messages to what callers switch on; the first match counts.
 * Each pattern is tried on `code: message`.
 */
const rules: readonly Rule[] = [
  rule(/ServiceLinkedRoleCreationNotPermitted/, 'unauthorized', 'SpotSLRCreationFailed'),
  rule(/Not authorized for images/, 'unauthorized', 'AMIAuthorizationFailure'),
  rule(
    /^(UnauthorizedOperation|AccessDenied\w*|AuthFailure|InvalidClientTokenId|ExpiredToken\w*|UnrecognizedClientException|SignatureDoesNotMatch|CredentialsProviderError)/,
    'unauthorized',
    'Unauthorized',
  ),
  rule(/UnauthorizedOperation|AccessDenied|AuthFailure/, 'unauthorized', 'Unauthorized'),
  rule(/belong to different networks/, 'rejected', 'SecurityGroupSubnetVPCMismatch'),
  rule(
    /iamInstanceProfile\.name is invalid|Invalid IAM Instance Profile name/,
    'rejected',
    'InstanceProfileNameInvalid',
  ),
  rule(/InvalidLaunchTemplate(Id|Name)\.NotFound/, 'rejected', 'LaunchTemplateNotFound'),
  rule(/User data is limited to/, 'rejected', 'UserDataSizeLimitExceeded'),
  rule(/^InvalidAMIID\.Malformed/, 'rejected', 'InvalidAMIID'),
  rule(/^InvalidAMIID\.NotFound/, 'rejected', 'AMINotFound'),
  rule(throttlingAtStart(), 'throttled', 'RequestLimitExceeded'),
  rule(/^InternalError/, 'unreachable', 'InternalError'),
  rule(/not eligible for Free Tier/, 'rejected', 'FreeTierIneligible'),
  rule(/^MaxFleetCountExceeded/, 'quota', 'FleetQuotaExceeded'),
  rule(/^PendingVerification/, 'rejected', 'AccountPendingVerification'),
  rule(/^MaxSpotInstanceCountExceeded/, 'quota', 'SpotQuotaExceeded'),
  rule(/^VcpuLimitExceeded/, 'quota', 'VCPULimitExceeded'),
  rule(
    /^InsufficientFreeAddressesInSubnet/,
    'insufficient-capacity',
    'InsufficientFreeAddressesInSubnet',
  ),
  rule(
    /^(InsufficientInstanceCapacity|UnfulfillableCapacity|Unsupported|ReservationCapacityExceeded)/,
    'insufficient-capacity',
    'InsufficientCapacity',
  ),
  rule(/^(LimitExceeded|\w*LimitExceeded)/, 'quota', 'QuotaExceeded'),
  rule(/^Transport/, 'unreachable', 'Unreachable'),
];

function rule(matches: RegExp, kind: CloudErrorKind, reason: string): Rule {
  return { matches, kind, reason };
}

function throttlingAtStart(): RegExp {
  return new RegExp(throttling.source.replace(/\$$/, '(:|$)'));
}

/** What a fault means to callers. Unknown codes are `rejected` with the given reason. */
export function classify(
  fault: AwsFault,
  otherwise = 'LaunchFailed',
): { readonly kind: CloudErrorKind; readonly reason: string } {
  const text = `${fault.code}: ${fault.message}`;
  const found = rules.find((candidate) => candidate.matches.test(text));
  if (found !== undefined) return { kind: found.kind, reason: found.reason };
  if (isTransient(fault)) return { kind: 'unreachable', reason: 'InternalError' };
  return { kind: 'rejected', reason: otherwise };
}

/** The error to throw for a failed call. Programmer's errors and `CloudError`s come back unchanged. */
export function cloudError(error: unknown, doing: string, otherwise?: string): unknown {
  const fault = faultOf(error);
  if (fault === undefined) return error;
  const { kind, reason } = classify(fault, otherwise);
  return new CloudError(kind, reason, `${doing}: ${faultText(fault)}`, { cause: error });
}

const forbidden: readonly (readonly [RegExp, string])[] = [
  [/service control policy/i, 'a service control policy of the organization forbids it'],
  [/permissions boundary/i, 'the permissions boundary of the role forbids it'],
];

/** What went wrong, in EC2's words, without what only a machine can read. */
export function faultText({ code, message }: Pick<AwsFault, 'code' | 'message'>): string {
  const words = message.replace(/\s*Encoded authorization failure message: \S+/, '').trim();
  const why = forbidden.find(([pattern]) => pattern.test(message))?.[1];
  return why === undefined ? `${code}: ${words}` : `${code}: ${why}: ${words}`;
}

/** Fleet errors that mean: not here, not now. */
export const insufficientCapacityCodes: ReadonlySet<string> = new Set([
  'InsufficientInstanceCapacity',
  'MaxSpotInstanceCountExceeded',
  'VcpuLimitExceeded',
  'UnfulfillableCapacity',
  'Unsupported',
  'InsufficientFreeAddressesInSubnet',
  'MaxFleetCountExceeded',
  'ReservationCapacityExceeded',
]);

/** Those of them that come from the account's vCPU quota and not from a lack of machines. */
export const quotaCodes: ReadonlySet<string> = new Set([
  'VcpuLimitExceeded',
  'MaxSpotInstanceCountExceeded',
]);

export const subnetFullCode = 'InsufficientFreeAddressesInSubnet';
export const spotRoleMissingCode = 'AuthFailure.ServiceLinkedRoleCreationNotPermitted';
