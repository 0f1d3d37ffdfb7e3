import { DeleteLaunchTemplateCommand, DescribeLaunchTemplatesCommand } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { aNodeClass, cloudUnderTest, region } from '../../../../test/aws-cli/cloud-under-test.ts';
import type { HttpHandler, HttpRequest } from '../../../ports/http.ts';
import { createAwsClients } from '../calls/clients.ts';

const minuteMs = 60_000;

/** Writes down what was asked for, and the codes of the errors that were answered. */
function witness() {
  const asked: string[] = [];
  const errors: string[] = [];
  const meddle =
    (send: HttpHandler): HttpHandler =>
    async (request) => {
      asked.push(actionOf(request));
      const answer = await send(request);
      errors.push(...(/<Code>([\w.]+)<\/Code>/.exec(String(answer.body))?.slice(1) ?? []));
      return answer;
    };
  return { asked, errors, meddle };
}

function actionOf({ body = '' }: HttpRequest): string {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return /(?:^|&)Action=(\w+)/.exec(text)?.[1] ?? '';
}

test('templates are collected soon after their last use, and hardly asked for once there are none', async () => {
  const { asked, meddle } = witness();
  const { provider, settle, clock } = cloudUnderTest(meddle);
  await settle(provider.resolve(aNodeClass()));
  const collected: string[] = [];
  const collectFor = async (minutes: number): Promise<number> => {
    asked.length = 0;
    const untilMs = clock.nowMs() + minutes * minuteMs;
    while (clock.nowMs() < untilMs) {
      collected.push(...(await settle(provider.collectLaunchTemplates())));
      await clock.runFor(10_000);
    }
    return asked.filter((action) => action === 'DescribeLaunchTemplates').length;
  };
  await collectFor(1);
  expect(collected).toHaveLength(1);
  expect(await collectFor(60)).toBeLessThanOrEqual(12);
  // Used once more, it is made again, and collected as soon as the first time.
  await settle(provider.resolve(aNodeClass({ detailedMonitoring: true })));
  await collectFor(1);
  expect(collected).toHaveLength(2);
});

test('a template that was collected is made again at the first try, in every life', async () => {
  const { errors, meddle } = witness();
  const { start, settle, clock } = cloudUnderTest(meddle);
  for (let life = 1; life <= 4; life++) {
    const { provider } = start();
    const { conditions } = await settle(provider.resolve(aNodeClass()));
    expect(conditions.every(({ status }) => status === 'True')).toBe(true);
    await settle(provider.collectLaunchTemplates());
    await clock.runFor(minuteMs);
    expect(await settle(provider.collectLaunchTemplates())).toHaveLength(1);
  }
  expect(errors.filter((code) => code.startsWith('InvalidLaunchTemplate'))).toEqual([]);
});

test('a template that somebody else deleted is forgotten, and made again at the first try', async () => {
  const { errors, meddle } = witness();
  const { provider, aws, settle, clock } = cloudUnderTest(meddle);
  await settle(provider.resolve(aNodeClass()));
  const { ec2 } = createAwsClients({ region, send: aws.endpoint.handle });
  const { LaunchTemplates = [] } = await ec2.send(new DescribeLaunchTemplatesCommand({}));
  expect(LaunchTemplates).toHaveLength(1);
  for (const { LaunchTemplateId } of LaunchTemplates)
    await ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId }));
  await clock.runFor(minuteMs);
  expect(await settle(provider.collectLaunchTemplates())).toEqual([]);
  await clock.runFor(60 * minuteMs);
  await settle(provider.resolve(aNodeClass()));
  expect(await settle(provider.collectLaunchTemplates())).toEqual([]);
  await clock.runFor(minuteMs);
  expect(await settle(provider.collectLaunchTemplates())).toHaveLength(1);
  expect(errors.filter((code) => code.startsWith('InvalidLaunchTemplate'))).toEqual([]);
});
