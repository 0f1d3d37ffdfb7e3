import { describe, expect, test } from 'vitest';
import { CloudError } from '../../../ports/cloud-provider.ts';
import { classify, cloudError, faultOf, faultText, isThrottling, isTransient } from './errors.ts';

const fault = (code: string, message = '', status = 400) => ({ code, message, status });

describe('classify', () => {
  test.each([
    ['AuthFailure.ServiceLinkedRoleCreationNotPermitted', '', 'unauthorized SpotSLRCreationFailed'],
    ['UnauthorizedOperation', 'You are not authorized', 'unauthorized Unauthorized'],
    ['AccessDeniedException', '', 'unauthorized Unauthorized'],
    ['AuthFailure', 'Not authorized for images: [ami-1]', 'unauthorized AMIAuthorizationFailure'],
    [
      'InvalidParameter',
      'sg-1 and subnet-1 belong to different networks',
      'rejected SecurityGroupSubnetVPCMismatch',
    ],
    [
      'InvalidParameterValue',
      'iamInstanceProfile.name is invalid',
      'rejected InstanceProfileNameInvalid',
    ],
    ['InvalidLaunchTemplateId.NotFound', '', 'rejected LaunchTemplateNotFound'],
    [
      'InvalidParameterValue',
      'User data is limited to 16384 bytes',
      'rejected UserDataSizeLimitExceeded',
    ],
    ['InvalidAMIID.Malformed', '', 'rejected InvalidAMIID'],
    ['InvalidAMIID.NotFound', '', 'rejected AMINotFound'],
    ['RequestLimitExceeded', '', 'throttled RequestLimitExceeded'],
    ['ThrottlingException', 'Rate exceeded', 'throttled RequestLimitExceeded'],
    ['InternalError', '', 'unreachable InternalError'],
    ['InvalidParameterCombination', 'not eligible for Free Tier', 'rejected FreeTierIneligible'],
    ['MaxFleetCountExceeded', '', 'quota FleetQuotaExceeded'],
    ['PendingVerification', '', 'rejected AccountPendingVerification'],
    ['MaxSpotInstanceCountExceeded', '', 'quota SpotQuotaExceeded'],
    ['VcpuLimitExceeded', '', 'quota VCPULimitExceeded'],
    [
      'InsufficientFreeAddressesInSubnet',
      '',
      'insufficient-capacity InsufficientFreeAddressesInSubnet',
    ],
    ['InsufficientInstanceCapacity', '', 'insufficient-capacity InsufficientCapacity'],
    ['SomethingNew', '', 'rejected LaunchFailed'],
  ])('%s %s is %s', (code, message, expected) => {
    const { kind, reason } = classify(fault(code, message));
    expect(`${kind} ${reason}`).toBe(expected);
  });

  test('an unknown fault of the service itself is unreachable', () => {
    expect(classify(fault('Strange', '', 500)).kind).toBe('unreachable');
  });
});

test('what may be repeated: throttling, faults of the service and lost connections', () => {
  expect(isThrottling(fault('RequestLimitExceeded', '', 503))).toBe(true);
  expect(isTransient(fault('Whatever', '', 502))).toBe(true);
  expect(isTransient({ code: 'Transport', message: '', status: undefined })).toBe(true);
  expect(isTransient(fault('InvalidParameterValue'))).toBe(false);
});

test('a broken socket is a fault of transport, a programmer error is none', () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  expect(faultOf(reset)?.code).toBe('Transport');
  const bug = new TypeError('x is not a function');
  expect(faultOf(bug)).toBeUndefined();
  expect(cloudError(bug, 'launching')).toBe(bug);
});

test('the error names what was being done and keeps its cause', () => {
  const cause = Object.assign(new Error('no'), {
    name: 'VcpuLimitExceeded',
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
  });
  const error = cloudError(cause, 'launching nodeclaim web-1');
  expect(error).toBeInstanceOf(CloudError);
  expect(error).toMatchObject({
    kind: 'quota',
    reason: 'VCPULimitExceeded',
    message: 'launching nodeclaim web-1: VcpuLimitExceeded: no',
    cause,
  });
});

test.each([
  [
    'You are not authorized to perform this operation. Encoded authorization failure message: aZ-9_x',
    'UnauthorizedOperation: You are not authorized to perform this operation.',
  ],
  [
    'User x is not authorized to perform: ec2:CreateFleet with an explicit deny in a service control policy',
    'UnauthorizedOperation: a service control policy of the organization forbids it: User x is not authorized to perform: ec2:CreateFleet with an explicit deny in a service control policy',
  ],
])('of %s people are told what they can act on', (message, text) => {
  expect(faultText({ code: 'UnauthorizedOperation', message })).toBe(text);
});
