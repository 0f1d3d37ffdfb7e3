import { describe, expect, test } from 'vitest';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import type { DecisionDraft } from '../core/explain/decision.ts';
import { createDecisionRecorder } from './decision-recorder.ts';

const draft: DecisionDraft = {
  code: 'NodeLaunched',
  subject: { kind: 'NodeClaim', name: 'web-1' },
  because: [{ name: 'instanceType', value: 'm7g.large' }],
  money: { beforeUsdPerHour: 1, afterUsdPerHour: 1.08 },
  sentence: 'launched web-1',
};

function setUp(capacity: number) {
  const clock = createVirtualClock(0);
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): number => lines.push(JSON.parse(line));
  const log = createJsonLog({ clock, level: 'info', write });
  return { clock, lines, recorder: createDecisionRecorder({ clock, log, capacity }) };
}

describe('the decision recorder', () => {
  test('numbers and stamps decisions, and logs a line for each', async () => {
    const { clock, recorder, lines } = setUp(10);
    await clock.runFor(500);
    expect(recorder.record(draft)).toEqual({ ...draft, id: 1, atMs: 500 });
    expect(lines).toMatchObject([
      {
        message: 'decided',
        decision: 1,
        code: 'NodeLaunched',
        NodeClaim: 'web-1',
        sentence: 'launched web-1',
        because: { instanceType: 'm7g.large' },
      },
    ]);
  });

  test.each([
    { after: 0, ids: [3, 4, 5] },
    { after: 3, ids: [4, 5] },
    { after: 5, ids: [] },
    { after: 99, ids: [] },
  ])('of five decisions in a ring of three, those after $after are $ids', ({ after, ids }) => {
    const { recorder } = setUp(3);
    for (let count = 0; count < 5; count++) recorder.record(draft);
    expect(recorder.since(after).map(({ id }) => id)).toEqual(ids);
  });

  test('listeners hear of every later decision until they unsubscribe', () => {
    const { recorder } = setUp(3);
    const heard: number[] = [];
    recorder.record(draft);
    const stop = recorder.subscribe(({ id }) => heard.push(id));
    recorder.record(draft);
    stop();
    recorder.record(draft);
    expect(heard).toEqual([2]);
  });
});
