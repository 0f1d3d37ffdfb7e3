import { describe, expect, test } from 'vitest';
import { aPod, type PodWish } from '../../../../test/validator/builders.ts';
import type { SpreadConstraint } from '../../cluster/pod.ts';
import { labels } from '../../requirements/well-known.ts';
import { mayKeepOut } from './nominated-beside.ts';

const overZones: SpreadConstraint = {
  topologyKey: labels.zone,
  maxSkew: 5,
  isHard: true,
  selector: { matchLabels: { app: 'web' } },
  honorsNodeAffinity: true,
  honorsTaints: false,
};
const overHosts = { ...overZones, topologyKey: labels.hostname };
const wish = { ...overZones, isHard: false };
const web: PodWish = { labels: { app: 'web' } };
const spreadWeb: PodWish = { ...web, spread: [overZones] };

describe('a nominated pod may keep another one out of its node', () => {
  test.each<{ name: string; nominated: PodWish; other: PodWish; expected: boolean }>([
    { name: 'where both are spread', nominated: spreadWeb, other: spreadWeb, expected: true },
    { name: 'where a spread counts it', nominated: web, other: spreadWeb, expected: true },
    { name: 'not where only it is spread', nominated: spreadWeb, other: web, expected: false },
    { name: 'not if it does not count', nominated: {}, other: spreadWeb, expected: false },
    {
      name: 'not from another namespace',
      nominated: { ...web, namespace: 'other' },
      other: spreadWeb,
      expected: false,
    },
    {
      name: 'not where it matters less',
      nominated: web,
      other: { ...spreadWeb, priority: 1 },
      expected: false,
    },
    {
      name: 'not over hosts, where plans count from zero',
      nominated: web,
      other: { ...web, spread: [overHosts] },
      expected: false,
    },
    { name: 'not by a wish', nominated: web, other: { ...web, spread: [wish] }, expected: false },
  ])('$name', ({ nominated, other, expected }) => {
    expect(mayKeepOut(aPod(nominated), aPod(other))).toBe(expected);
  });
});
