import { expect, test } from 'vitest';
import { groupPending } from './pending-groups.ts';

const pod = (name: string) => ({ namespace: 'default', name });

test('pods that wait for the same reason are told once, refused ones first', () => {
  const refusal = { code: 'too-large', sentence: 'No type is large enough.', reason: 3 } as const;
  const groups = groupPending([
    { ...pod('a'), waitsFor: 'spot-1' },
    { ...pod('b'), waitsFor: 'spot-1' },
    { ...pod('c'), refusal },
    pod('d'),
  ]);
  expect(groups.map(({ tree }) => tree)).toEqual([3, undefined, undefined]);
  expect(groups.map(({ reason, count }) => [count, reason])).toEqual([
    [1, 'No type is large enough.'],
    [2, 'waits for spot-1 to be ready'],
    [1, 'waits for the next plan'],
  ]);
});
