import { beforeAll, describe, expect, test } from 'vitest';
import { type Replay, replayFirstStory } from './replay.ts';

describe('the first story in one process on a virtual clock', () => {
  let first: Replay;
  beforeAll(async () => {
    first = await replayFirstStory(7);
  }, 120_000);

  test('ends as it does for a person: 200 pods ran and nothing is left', () => {
    expect(first.outcome.podsRunning).toBe(200);
    expect(first.outcome.nodesLaunched).toBeGreaterThan(0);
    expect(Object.values(first.outcome.left).flat()).toEqual([]);
    expect(first.errors).toEqual([]);
  });

  test('is told by decisions from the order to the removal', () => {
    const codes = new Set(first.decisions.map((decision) => decision.code));
    for (const code of [
      'NodeOrdered',
      'NodeLaunched',
      'NodeRegistered',
      'NodeInitialized',
      'NodeEmpty',
      'NodeRemoved',
    ] as const) {
      expect(codes).toContain(code);
    }
  });

  test('gives the same trace of API calls for the same seed, byte for byte', async () => {
    const second = await replayFirstStory(7);
    expect(second.trace === first.trace ? 'same' : firstDifference(first.trace, second.trace)).toBe(
      'same',
    );
    expect(JSON.stringify(second.decisions)).toBe(JSON.stringify(first.decisions));
  });

  test('gives another trace for another seed', async () => {
    const other = await replayFirstStory(8);
    expect(other.trace).not.toBe(first.trace);
    expect(other.outcome.podsRunning).toBe(200);
  });
});

function firstDifference(a: string, b: string): string {
  const left = a.split('\n');
  const right = b.split('\n');
  const index = left.findIndex((line, at) => line !== right[at]);
  return `line ${index}:\n${left[index]?.slice(0, 400)}\n${right[index]?.slice(0, 400)}`;
}
