import { describe, expect, test } from 'vitest';
import { schedulerConfig } from './scheduler-config.ts';

const zones = { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' };

function config(...defaultConstraints: readonly object[]): string {
  return JSON.stringify({ podTopologySpread: { defaultConstraints } });
}

test('without a configuration pods are spread by nothing but themselves', () => {
  expect(schedulerConfig('')).toEqual([]);
  expect(schedulerConfig('podTopologySpread: {}')).toEqual([]);
});

test('the constraints are read from YAML and from JSON', () => {
  const text = `
podTopologySpread:
  defaultConstraints:
    - maxSkew: 2
      topologyKey: topology.kubernetes.io/zone
      whenUnsatisfiable: DoNotSchedule
`;
  const expected = [{ ...zones, maxSkew: 2 }];
  expect(schedulerConfig(text)).toEqual(expected);
  expect(schedulerConfig(config({ ...zones, maxSkew: 2 }))).toEqual(expected);
});

describe('is refused, with the field that is wrong', () => {
  test.each([
    ['text that is no YAML', 'podTopologySpread: [', /not YAML/],
    ['the name of a file', '/etc/karpenter/scheduler.yaml', /give the YAML itself, not the name/],
    [
      'a whole configuration of the kube-scheduler',
      'apiVersion: kubescheduler.config.k8s.io/v1\nprofiles: []',
      /may not have the field apiVersion; it may have podTopologySpread/,
    ],
    ['a word it does not know', 'podTopologySpred: {}', /may not have the field podTopologySpred/],
    ['a list that is none', 'podTopologySpread: {defaultConstraints: 3}', /is not a list/],
    ['a skew of 0', config({ ...zones, maxSkew: 0 }), /\[0\]\.maxSkew must be a whole number/],
    [
      'a key that is no label',
      config({ ...zones, topologyKey: 'a b', maxSkew: 1 }),
      /name of a label/,
    ],
    [
      'an unknown answer',
      config({ ...zones, whenUnsatisfiable: 'Maybe', maxSkew: 1 }),
      /must be DoNot/,
    ],
    [
      'a selector, which pods give',
      config({ ...zones, maxSkew: 1, labelSelector: {} }),
      /labelSelector/,
    ],
    ['the same rule twice', config({ ...zones, maxSkew: 1 }, { ...zones, maxSkew: 2 }), /twice/],
  ])('%s', (_what, text, message) => {
    expect(() => schedulerConfig(text)).toThrow(message);
  });
});
