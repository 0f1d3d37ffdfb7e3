import { expect, test } from 'vitest';
import type { PodObject } from '../../../api/kubernetes/core.ts';
import { LostNominations } from './lost-nominations.ts';

const pod = (preemptionPolicy: string, nominatedNodeName: string): PodObject => ({
  metadata: { name: 'web', namespace: 'default' },
  spec: { containers: [], preemptionPolicy },
  status: { nominatedNodeName },
});

test('a failure ends a nomination, and the next one only after a pause that doubles to 10 s', () => {
  const lost = new LostNominations();
  const nominated = pod('PreemptLowerPriority', 'a');
  const pauses: number[] = [];
  for (let nowMs = 0, lastMs = 0; nowMs < 40_000; nowMs += 500) {
    if (!lost.failed(nominated, nowMs)) continue;
    if (nowMs > 0) pauses.push(nowMs - lastMs);
    lastMs = nowMs;
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  expect(lost.restMs(nominated, 39_000)).toBe(6_000);
  lost.forget('default/web');
  expect(lost.failed(nominated, 40_000)).toBe(true);
});

test('a pod that may not evict others keeps its nomination, and one without has none to lose', () => {
  const lost = new LostNominations();
  expect(lost.failed(pod('Never', 'a'), 0)).toBe(false);
  expect(lost.failed(pod('PreemptLowerPriority', ''), 0)).toBe(false);
});
