import { expect, test } from 'vitest';
import { aNodeClass, cloudUnderTest } from '../../../../test/aws-cli/cloud-under-test.ts';
import type { HttpHandler, HttpRequest } from '../../../ports/http.ts';

const forbidden =
  '<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>You are not authorized to perform this operation.</Message></Error></Errors><RequestID>1</RequestID></Response>';

const notFound =
  '<Response><Errors><Error><Code>InvalidLaunchTemplateName.NotFoundException</Code><Message>At least one of the launch templates specified in the request does not exist.</Message></Error></Errors><RequestID>1</RequestID></Response>';

/** Forbids one action, and counts how often each was asked for. */
function guard(action?: string) {
  const asked = new Map<string, number>();
  const meddle =
    (send: HttpHandler): HttpHandler =>
    async (request) => {
      const name = actionOf(request);
      asked.set(name, (asked.get(name) ?? 0) + 1);
      if (name !== action) return send(request);
      return { status: 403, headers: { 'content-type': 'text/xml' }, body: forbidden };
    };
  return { asked, meddle };
}

function actionOf({ body = '' }: HttpRequest): string {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return /(?:^|&)Action=(\w+)/.exec(text)?.[1] ?? '';
}

test.each([
  ['CreateLaunchTemplate', 'CreateLaunchTemplateAuthCheckFailed'],
  ['CreateFleet', 'CreateFleetAuthCheckFailed'],
  ['RunInstances', 'RunInstancesAuthCheckFailed'],
])('a class whose %s is forbidden is not valid, and says so', async (action, reason) => {
  const { meddle } = guard(action);
  const { provider, settle } = cloudUnderTest(meddle);
  const { conditions } = await settle(provider.resolve(aNodeClass()));
  const validation = conditions.find(({ type }) => type === 'ValidationSucceeded');
  expect(validation).toMatchObject({ status: 'False', reason });
  expect(validation?.message).toMatch(/not authorized/i);
});

test('a rehearsal buys nothing, and is held once for a class that does not change', async () => {
  const { meddle, asked } = guard();
  const { provider, settle, aws, clock } = cloudUnderTest(meddle);
  for (let minute = 0; minute < 5; minute++) {
    const { conditions } = await settle(provider.resolve(aNodeClass()));
    expect(conditions.every(({ status }) => status === 'True')).toBe(true);
    await clock.runFor(60_000);
  }
  expect([asked.get('CreateFleet'), asked.get('RunInstances')]).toEqual([1, 1]);
  expect(aws.switched).toEqual([]);
  await settle(provider.resolve(aNodeClass({ detailedMonitoring: true })));
  expect(asked.get('RunInstances')).toBe(2);
});

test('a template that EC2 does not know for a moment is no failure of the class', async () => {
  let unknown = 3;
  const { provider, settle } = cloudUnderTest((send) => async (request) => {
    if (actionOf(request) !== 'CreateFleet' || unknown-- <= 0) return send(request);
    return { status: 400, headers: { 'content-type': 'text/xml' }, body: notFound };
  });
  const { conditions } = await settle(provider.resolve(aNodeClass()));
  expect(conditions.every(({ status }) => status === 'True')).toBe(true);
});
