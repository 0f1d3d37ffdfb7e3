import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScoreHeap } from './score-heap.ts';

test('the highest score comes out first, of equal scores the earlier in the list', () => {
  const heap = new ScoreHeap([1, 3, 2, 3]);
  const order: number[] = [];
  for (; heap.top >= 0; heap.removeTop()) order.push(heap.top);
  expect(order).toEqual([1, 3, 2, 0]);
});

test('a score that was lowered waits for its turn', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { minLength: 1 }), fc.nat(20), (scores, lower) => {
      const heap = new ScoreHeap(scores);
      const first = heap.top;
      const now = scores.map((score, index) => (index === first ? Math.min(score, lower) : score));
      heap.lower(now[first] ?? 0);
      const order: number[] = [];
      for (; heap.top >= 0; heap.removeTop()) order.push(heap.top);
      const sorted = [...now.keys()].sort((a, b) => (now[b] ?? 0) - (now[a] ?? 0) || a - b);
      expect(order).toEqual(sorted);
    }),
  );
});
