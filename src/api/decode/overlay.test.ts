import { expect, test } from 'vitest';
import type { NodeOverlaySpec } from '../karpenter/node-overlay.ts';
import { decodeOverlay } from './overlay.ts';

function read(spec: Partial<NodeOverlaySpec>) {
  return decodeOverlay({ metadata: { name: 'o' }, spec: { requirements: [], ...spec } });
}

test.each([
  { spec: { price: '1.25' }, price: { kind: 'set', usdPerHour: 1.25 } },
  { spec: { priceAdjustment: '+0.05' }, price: { kind: 'add', usdPerHour: 0.05 } },
  { spec: { priceAdjustment: '-.5' }, price: { kind: 'add', usdPerHour: -0.5 } },
  { spec: { priceAdjustment: '+10%' }, price: { kind: 'scale', percent: 10 } },
  { spec: { priceAdjustment: '-100%' }, price: { kind: 'scale', percent: -100 } },
  { spec: {}, price: undefined },
])('the price of $spec', ({ spec, price }) => {
  expect(read(spec).overlay.price).toEqual(price);
  expect(read(spec).invalid).toEqual([]);
});

test('capacity and weight are read, what cannot be read is told', () => {
  const { overlay, invalid } = read({ weight: 5, capacity: { 'example.com/x': '2', y: 'lots' } });
  expect(overlay).toMatchObject({ weight: 5, capacity: { 'example.com/x': 2 } });
  expect(invalid).toEqual(['capacity y: "lots" is not a quantity']);
  expect(read({ price: 'much' }).invalid).toEqual([
    '"much" is neither a price nor a change of one',
  ]);
});
