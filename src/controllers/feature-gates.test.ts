import { expect, test } from 'vitest';
import { defaultGates, parseFeatureGates } from './feature-gates.ts';

test('gates that are not named keep their default', () => {
  expect(parseFeatureGates('')).toEqual(defaultGates);
  expect(parseFeatureGates('NodeOverlay=true')).toEqual({ ...defaultGates, nodeOverlay: true });
});

test('several are named with commas, blanks around them do not count', () => {
  expect(parseFeatureGates('CapacityBuffer=true, ReservedCapacity=false')).toEqual({
    ...defaultGates,
    capacityBuffer: true,
    reservedCapacity: false,
  });
});

test('a gate of another version is left alone', () => {
  expect(parseFeatureGates('Tomorrow=true')).toEqual(defaultGates);
});

test('a value that is neither true nor false is told', () => {
  expect(() => parseFeatureGates('NodeOverlay=yes')).toThrow('NodeOverlay is neither');
});
