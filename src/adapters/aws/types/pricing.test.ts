import { describe, expect, test } from 'vitest';
import { type EmbeddedAws, embeddedAws } from '../../../../test/aws-cli/embedded-aws.ts';
import { aResolvedClass, typesUnderTest } from '../../../../test/aws-cli/types-under-test.ts';
import { createAwsClients } from '../calls/clients.ts';
import { fallbackData } from './fallback-data.ts';

const region = 'ap-east-1';
const shipped = fallbackData().onDemand(region);
const fromTable = 'using the on-demand prices that ship with Karpenter';

/** The endpoint behind a wire on which some questions get no answer, as long as `isDead` says so. */
function deafAws(isDead: (body: string) => boolean): EmbeddedAws {
  const aws = embeddedAws({ region });
  const send: Parameters<typeof createAwsClients>[0] = {
    region,
    send: async (request) => {
      const target = request.headers['x-amz-target'] ?? '';
      const body = typeof request.body === 'string' ? request.body : '';
      const text = `${target} ${body || new TextDecoder().decode(request.body as Uint8Array)}`;
      if (isDead(text)) throw new Error('connect ETIMEDOUT');
      return aws.endpoint.handle(request);
    },
  };
  return { ...aws, ...createAwsClients(send) };
}

const messages = (under: ReturnType<typeof typesUnderTest>) =>
  under.lines.map(({ message }) => message);

test('prices are those of the Pricing API and of the spot history, zone by zone', async () => {
  const under = typesUnderTest();
  const nodeClass = aResolvedClass();
  const { market } = under.aws.endpoint;
  for (const capacityType of ['on-demand', 'spot'] as const) {
    const offer = { instanceType: 'm5.large', zone: 'ap-east-1a', capacityType };
    expect(await under.offering(nodeClass, `m5.large/a/${capacityType}`)).toMatchObject({
      priceUsdPerHour: market.priceUsdPerHour(offer),
    });
  }
  expect(messages(under)).not.toContain(fromTable);
});

describe('while the Pricing API does not answer', () => {
  test('prices are those that ship with Karpenter, and the log says so once', async () => {
    const under = typesUnderTest({ aws: deafAws((text) => text.includes('GetProducts')) });
    const nodeClass = aResolvedClass();
    for (let i = 0; i < 3; i++)
      expect(await under.offering(nodeClass, 'm5.large/a/on-demand')).toMatchObject({
        priceUsdPerHour: shipped.get('m5.large'),
        isAvailable: true,
      });
    expect(messages(under).filter((message) => message === fromTable)).toHaveLength(1);
    expect(under.lines.find(({ message }) => message === fromTable)?.fields).toMatchObject({
      pricesOf: region,
      asOf: '2026-08-22',
    });
  });

  test('the first question waits ten seconds at most, later ones not at all', async () => {
    const never = new Promise<never>(() => {});
    const aws = embeddedAws({ region });
    const silent = createAwsClients({ region, send: () => never });
    const under = typesUnderTest({ aws: { ...aws, pricing: silent.pricing } });
    const startedAtMs = aws.clock.nowMs();
    await under.list(aResolvedClass());
    expect(aws.clock.nowMs() - startedAtMs).toBe(10_000);
    await under.list(aResolvedClass());
    expect(aws.clock.nowMs() - startedAtMs).toBe(10_000);
  });

  test('it is asked again, and then its prices are used', async () => {
    let isDead = true;
    const under = typesUnderTest({
      aws: deafAws((text) => isDead && text.includes('GetProducts')),
    });
    const nodeClass = aResolvedClass();
    const before = await under.list(nodeClass);
    isDead = false;
    await under.aws.clock.runFor(120_000);
    await under.list(nodeClass);
    await under.aws.clock.runFor(1_000);
    // The table was made of the same prices; what differs is where they are from.
    expect(await under.list(nodeClass)).not.toBe(before);
  });
});

test('an isolated VPC never asks the Pricing API', async () => {
  const asked: string[] = [];
  const aws = deafAws((text) => {
    if (text.includes('GetProducts')) asked.push(text);
    return false;
  });
  const under = typesUnderTest({ aws, settings: { isIsolatedVpc: true } });
  expect(await under.offering(aResolvedClass(), 'm5.large/a/on-demand')).toMatchObject({
    priceUsdPerHour: shipped.get('m5.large'),
  });
  expect(asked).toEqual([]);
  expect(messages(under)).toContain(fromTable);
});

test('before the first spot price every zone costs what on-demand costs', async () => {
  const under = typesUnderTest({
    aws: deafAws((text) => text.includes('DescribeSpotPriceHistory')),
  });
  expect(await under.offering(aResolvedClass(), 'm5.large/a/spot')).toMatchObject({
    priceUsdPerHour: shipped.get('m5.large'),
    isAvailable: true,
  });
});

describe('after twelve hours', () => {
  const twelveHoursMs = 12 * 3_600_000;

  test('prices are read again; while they are the same, so is the answer', async () => {
    const under = typesUnderTest();
    const nodeClass = aResolvedClass();
    const first = await under.list(nodeClass);
    await under.aws.clock.runFor(twelveHoursMs);
    await under.list(nodeClass);
    await under.aws.clock.runFor(60_000);
    expect(await under.list(nodeClass)).toBe(first);
    expect(messages(under)).not.toContain('prices have changed');
  });

  test('other prices are another answer, and the log counts them', async () => {
    const under = typesUnderTest();
    const nodeClass = aResolvedClass();
    const first = await under.list(nodeClass);
    under.aws.endpoint.market.setSpotDrift(0.3);
    await under.aws.clock.runFor(twelveHoursMs);
    await under.list(nodeClass);
    await under.aws.clock.runFor(60_000);
    expect(await under.list(nodeClass)).not.toBe(first);
    const told = under.lines.find(({ message }) => message === 'prices have changed');
    expect(told?.fields).toMatchObject({ what: 'spot prices' });
    expect(told?.fields.changes).toBeGreaterThan(100);
  });
});
