import { describe, expect, test } from 'vitest';
import {
  clearCondition,
  sameConditions,
  setCondition,
  withDependents,
  withReady,
} from './conditions.ts';
import type { Condition } from './resource.ts';

const at = (nowMs: number, generation = 1) => ({ nowMs, generation });
const none: readonly Condition[] = [];

describe('setCondition', () => {
  test('keeps the time of the last change while the status stays', () => {
    const first = setCondition(none, { type: 'Launched', status: 'Unknown', reason: 'A' }, at(0));
    const second = setCondition(
      first,
      { type: 'Launched', status: 'Unknown', reason: 'B' },
      at(5000),
    );
    expect(second).toMatchObject([{ reason: 'B', lastTransitionTime: '1970-01-01T00:00:00Z' }]);
    const third = setCondition(second, { type: 'Launched', status: 'True' }, at(9000));
    expect(third).toMatchObject([
      { reason: 'Launched', message: '', lastTransitionTime: '1970-01-01T00:00:09Z' },
    ]);
  });
});

describe('withReady', () => {
  const dependents = ['A', 'B'];
  test.each([
    { name: 'all true is ready', a: 'True', b: 'True', status: 'True', reason: 'Ready' },
    {
      name: 'one false is not ready',
      a: 'True',
      b: 'False',
      status: 'False',
      reason: 'UnhealthyDependents',
    },
    {
      name: 'one unknown is unknown',
      a: 'True',
      b: 'Unknown',
      status: 'Unknown',
      reason: 'ReconcilingDependents',
    },
  ] as const)('$name', ({ a, b, status, reason }) => {
    const set = setCondition(
      setCondition(none, { type: 'A', status: a }, at(0)),
      { type: 'B', status: b },
      at(0),
    );
    expect(withReady(set, dependents, at(0)).at(-1)).toMatchObject({
      type: 'Ready',
      status,
      reason,
    });
  });

  test('what was true for an older generation does not count', () => {
    const set = setCondition(
      setCondition(none, { type: 'A', status: 'True' }, at(0, 1)),
      { type: 'B', status: 'True' },
      at(0, 2),
    );
    expect(withReady(set, dependents, at(0, 2)).at(-1)).toMatchObject({
      status: 'Unknown',
      message: 'A=True',
    });
  });

  test('a missing dependent waits since the creation of the object', () => {
    const ready = withReady(none, dependents, { ...at(9000), createdAt: '1970-01-01T00:00:01Z' });
    expect(ready[0]).toMatchObject({
      type: 'A',
      status: 'Unknown',
      lastTransitionTime: '1970-01-01T00:00:01Z',
    });
  });
});

test('equal statements need no write, and a cleared condition is a difference', () => {
  const set = setCondition(none, { type: 'A', status: 'True' }, at(0));
  expect(sameConditions(set, setCondition(set, { type: 'A', status: 'True' }, at(7000)))).toBe(
    true,
  );
  expect(sameConditions(set, clearCondition(set, 'A'))).toBe(false);
});

test('the root has waited since the creation of the object too', () => {
  const moment = { ...at(9000), createdAt: '1970-01-01T00:00:01Z' };
  const waiting = setCondition(
    withDependents(none, ['A'], moment),
    { type: 'A', status: 'Unknown', reason: 'Late' },
    moment,
  );
  expect(withReady(waiting, ['A'], moment)).toMatchObject([
    { type: 'A', reason: 'Late', lastTransitionTime: '1970-01-01T00:00:01Z' },
    { type: 'Ready', status: 'Unknown', lastTransitionTime: '1970-01-01T00:00:01Z' },
  ]);
});

test('after one is taken away the others stand in the order of their names', () => {
  let set = setCondition(none, { type: 'C', status: 'True' }, at(0));
  set = setCondition(set, { type: 'B', status: 'True' }, at(1000));
  set = setCondition(set, { type: 'A', status: 'True' }, at(2000));
  expect(set.map(({ type }) => type)).toEqual(['C', 'B', 'A']);
  expect(clearCondition(set, 'B').map(({ type }) => type)).toEqual(['A', 'C']);
  expect(clearCondition(set, 'D')).toBe(set);
});

test('what was said before is the same list', () => {
  const set = setCondition(none, { type: 'A', status: 'True' }, at(0));
  expect(setCondition(set, { type: 'A', status: 'True' }, at(5000))).toBe(set);
});
