import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { shippedCatalog } from '../../../../test/aws-cli/embedded-aws.ts';
import { branchInterfaces } from './branch-interfaces.ts';
import { fallbackData, readFallback } from './fallback-data.ts';

test('the table is what its script makes of the catalogue', () => {
  const script = fileURLToPath(new URL('../../../../data/make-fallback.mjs', import.meta.url));
  execFileSync(process.execPath, [script, '--check']);
});

test('it has every on-demand price of every region in the catalogue', () => {
  for (const region of shippedCatalog().regions) {
    const prices = fallbackData().onDemand(region.name);
    for (const { name } of region.types) {
      const known = region.onDemandUsdPerHour(name) ?? region.dedicatedUsdPerHour(name);
      expect(prices.get(name)).toBe(known);
    }
  }
});

test('a region that it does not have gets the prices of us-east-1', () => {
  expect(fallbackData().hasRegion('us-gov-west-1')).toBe(false);
  expect(fallbackData().onDemand('us-gov-west-1').get('m5.large')).toBe(0.096);
});

test.each([
  ['m5.large', 750],
  ['p5.48xlarge', 3_200_000],
  ['m4.large', 'none'],
  ['x99.large', undefined],
] as const)('the baseline bandwidth of %s is %s', (type, mbps) => {
  expect(fallbackData().networkMbps(type)).toBe(mbps);
});

test('a table of another schema is refused', () => {
  expect(() => readFallback('{"schema":2}')).toThrow('schema 2');
});

test('branch interfaces are those that the catalogue knows', () => {
  expect(branchInterfaces('m5.large')).toBe(9);
  expect(branchInterfaces('t3.large')).toBe(0);
  expect(branchInterfaces('x99.large')).toBe(0);
});
