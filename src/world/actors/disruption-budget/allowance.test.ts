import { expect, test } from 'vitest';
import { allowance } from './allowance.ts';

test.each([
  {
    name: 'a whole minimum counts the pods there are',
    minAvailable: 2,
    matching: 5,
    scale: 9,
    healthy: 5,
    desired: 2,
    allowed: 3,
  },
  {
    name: 'a percentage is of the scale and rounds up',
    minAvailable: '50%',
    matching: 3,
    scale: 5,
    healthy: 3,
    desired: 3,
    allowed: 0,
  },
  {
    name: 'a maximum missing is of the scale',
    maxUnavailable: 1,
    matching: 3,
    scale: 3,
    healthy: 3,
    desired: 2,
    allowed: 1,
  },
  {
    name: 'a missing percentage rounds up',
    maxUnavailable: '10%',
    matching: 5,
    scale: 5,
    healthy: 5,
    desired: 4,
    allowed: 1,
  },
  {
    name: 'sick pods use up the allowance',
    maxUnavailable: 1,
    matching: 3,
    scale: 3,
    healthy: 2,
    desired: 2,
    allowed: 0,
  },
  {
    name: 'zero missing allows nothing',
    maxUnavailable: 0,
    matching: 3,
    scale: 3,
    healthy: 3,
    desired: 3,
    allowed: 0,
  },
  {
    name: 'no pods, no disruptions',
    maxUnavailable: 1,
    matching: 0,
    scale: 0,
    healthy: 0,
    desired: 0,
    allowed: 0,
  },
])('$name', ({ desired, allowed, ...question }) => {
  const answer = allowance(question);
  expect([answer.desiredHealthy, answer.disruptionsAllowed]).toEqual([desired, allowed]);
});
