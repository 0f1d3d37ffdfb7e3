import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Decision } from '../../core/explain/decision.ts';
import { frameOf } from './frame.ts';

const size = { columns: 60, rows: 40 };

const decision = (sentence: string): Decision => ({
  id: 1,
  atMs: 0,
  code: 'NodeOrdered',
  subject: { kind: 'NodeClaim', name: 'spot-1' },
  because: [],
  sentence,
});

const small = { columns: 80, rows: 24 };

const linesOf = (...sentences: string[]): string[] =>
  frameOf(
    {
      elapsedMs: 0,
      chapter: 'a test',
      view: undefined,
      decisions: sentences.map(decision),
      links: [],
    },
    size,
  ).map((line) => stripVTControlCharacters(line));

test('a long decision is broken between words, so that its reason is seen', () => {
  const lines = linesOf(
    'Ordered a spot c8in.large in us-west-2a for 76 pods at $0.0351/h from NodePool spot-pool: the cheapest of 15 types that hold them.',
  );
  expect(lines.join('\n')).toContain('that hold them.');
  for (const line of lines) expect(line.length).toBeLessThan(size.columns);
});

test('the latest decisions are kept where not all find room', () => {
  const lines = linesOf(...Array.from({ length: 30 }, (_, index) => `decision ${index}`));
  expect(lines).toContain('· decision 29');
  expect(lines).not.toContain('· decision 0');
});

test('the picture of a small terminal ends with the latest decision, not beyond its edge', () => {
  const lines = frameOf(
    {
      elapsedMs: 0,
      chapter: 'a test',
      view: undefined,
      decisions: Array.from({ length: 30 }, (_, index) => decision(`decision ${index}`)),
      links: Array.from({ length: 7 }, () => 'export A=b'),
    },
    small,
  );
  expect(lines.length).toBeLessThan(small.rows);
  expect(lines.at(-1)).toBe('· decision 29');
});

test('control characters in names do not reach the terminal', () => {
  expect(linesOf('pod \u001b[31mred').join('')).not.toContain('\u001b');
});
