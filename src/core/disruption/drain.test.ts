import { describe, expect, test } from 'vitest';
import { aDaemon, aPod } from '../../../test/validator/builders.ts';
import type { Pod } from '../cluster/pod.ts';
import { drainStep } from './drain.ts';

const critical = { priorityClass: 'system-node-critical' };
const daemon = (wish: Partial<Pod>): Pod => aDaemon({ tolerations: [], ...wish });

const web = aPod({ name: 'web' });
const logs = daemon({ name: 'logs' });
const dns = aPod({ name: 'dns', ...critical });
const proxy = daemon({ name: 'proxy', ...critical });

function names(pods: readonly Pod[]): readonly string[] {
  return pods.map((pod) => pod.name);
}

describe('the order of a drain', () => {
  test.each([
    { pods: [proxy, dns, logs, web], evicted: ['web'] },
    { pods: [proxy, dns, logs], evicted: ['logs'] },
    { pods: [proxy, dns], evicted: ['dns'] },
    { pods: [proxy], evicted: ['proxy'] },
    { pods: [], evicted: [] },
  ])('of $pods.length pods, $evicted', ({ pods, evicted }) => {
    const step = drainStep({ pods, nowMs: 0 });
    expect(names(step.evict)).toEqual(evicted);
    expect(step.waitFor).toHaveLength(pods.length);
  });

  test('a group is waited for while its pods end', () => {
    const ending = aPod({ name: 'web', isTerminating: true, goneByMs: 30_000 });
    const step = drainStep({ pods: [ending, dns], nowMs: 0 });
    expect(step.evict).toEqual([]);
    expect(names(step.waitFor)).toEqual(['dns', 'web']);
  });
});

describe('pods that do not hold a node up', () => {
  test.each([
    { why: 'finished', pod: aPod({ isTerminal: true }) },
    { why: 'a mirror', pod: aPod({ isMirror: true }) },
    { why: 'tolerating everything', pod: aPod({ tolerations: [{ operator: 'Exists' }] }) },
    { why: 'stuck', pod: aPod({ isTerminating: true, goneByMs: 39_999 }) },
  ])('$why', ({ pod }) => {
    expect(drainStep({ pods: [pod], nowMs: 100_000 }).waitFor).toEqual([]);
  });

  test('a minute past its end a pod is not stuck yet', () => {
    const ending = aPod({ isTerminating: true, goneByMs: 40_000 });
    expect(drainStep({ pods: [ending], nowMs: 100_000 }).waitFor).toEqual([ending]);
  });
});

test('a protected pod is waited for and not evicted', () => {
  const shy = aPod({ doNotDisrupt: true });
  expect(drainStep({ pods: [shy], nowMs: 0 })).toMatchObject({
    waitFor: [shy],
    evict: [],
    protectedPods: [shy],
    force: [],
  });
});

describe('with ten minutes to the deadline', () => {
  const minute = 60_000;
  const force = (pod: Pod, nowMs: number) =>
    drainStep({ pods: [pod], nowMs, deadlineMs: 10 * minute }).force.map(
      ({ gracePeriodSeconds }) => gracePeriodSeconds,
    );

  test('a pod with a minute of grace is asked for nine minutes, then told', () => {
    const pod = aPod({ gracePeriodMs: minute, doNotDisrupt: true });
    expect(force(pod, 9 * minute)).toEqual([]);
    expect(force(pod, 9 * minute + 1)).toEqual([59]);
  });

  test('a pod with an hour of grace is told at once', () => {
    expect(force(aPod({ gracePeriodMs: 60 * minute }), 0)).toEqual([600]);
  });

  test('a pod that would end too late is told again', () => {
    expect(force(aPod({ isTerminating: true, goneByMs: 11 * minute }), 0)).toEqual([600]);
    expect(force(aPod({ isTerminating: true, goneByMs: 10 * minute }), 0)).toEqual([]);
  });

  test('after it at least one second is left', () => {
    expect(force(aPod({ gracePeriodMs: 0 }), 11 * minute)).toEqual([1]);
  });

  test('a pod without a grace period is never told', () => {
    expect(force(aPod(), 11 * minute)).toEqual([]);
  });
});
