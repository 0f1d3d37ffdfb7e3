import fc from 'fast-check';
import { expect, test } from 'vitest';
import { questionOf } from '../../../bench/cluster/decode.ts';
import { instanceTypesOf } from '../../../bench/cluster/instance-types.ts';
import { scenarioOf } from '../../../bench/cluster/scenario.ts';
import { typesFrom } from '../../../bench/workloads/types.mjs';
import { generate } from '../../../bench/workloads.mjs';
import { fewEc2Types } from '../../../test/judges/agreement-cases.ts';
import { randomCaseWithAllRules } from '../../../test/validator/random-cluster.ts';
import { solve } from '../scheduling/solve.ts';
import { GraphReader } from './read.ts';
import { writingGraph } from './write.ts';

function textOf(value: unknown): string {
  return [...writingGraph(value)].join('');
}

/** Reads the text as it comes over a wire, cut anywhere. */
function readBack(text: string, pieceLength = text.length): unknown {
  const reader = new GraphReader();
  for (let at = 0; at < text.length; at += pieceLength)
    reader.take(text.slice(at, at + pieceLength));
  return reader.value();
}

const strangeNumbers = [0, -0, 1.5, -7, Number.NaN, Infinity, -Infinity, 2 ** 53, 5e-324];
const strangeTexts = ['', 'a', '__proto__', 'constructor', '\n', '"]', '\u2028', '\uD800', '[0]'];
const scalar = fc.oneof(
  fc.constantFrom(...strangeNumbers),
  fc.constantFrom(...strangeTexts),
  fc.string(),
  fc.constantFrom(undefined, null, true, false),
);
const key = fc.constantFrom(...strangeTexts, 'b', 'c');

interface Draft {
  readonly kind: 'object' | 'list' | 'map' | 'set';
  readonly parts: readonly (readonly [string, unknown, number])[];
}
const draft: fc.Arbitrary<Draft> = fc.record({
  kind: fc.constantFrom('object' as const, 'list' as const, 'map' as const, 'set' as const),
  parts: fc.array(fc.tuple(key, scalar, fc.nat(12)), { maxLength: 5 }),
});

/** Values that are made of scalars and of values before them, so that many are shared. */
const graph = fc.array(draft, { minLength: 1, maxLength: 12 }).map((drafts) => {
  const made: unknown[] = [];
  for (const { kind, parts } of drafts) {
    const values = parts.map(([name, value, back]): [string, unknown] => [
      name,
      back < made.length ? made[back] : value,
    ]);
    const only = values.map(([, value]) => value);
    if (kind === 'list') made.push(only);
    else if (kind === 'set') made.push(new Set(only));
    else if (kind === 'map') made.push(new Map(values.map(([name, value]) => [value, name])));
    else made.push(Object.fromEntries(values));
  }
  return made;
});

/** Where the two differ, in what they say or in what they share. */
function differs(a: unknown, b: unknown, twins = new Map<unknown, unknown>()): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null)
    return !Object.is(a, b);
  if (twins.has(a) || twins.has(b)) return twins.get(a) !== b || twins.get(b) !== a;
  twins.set(a, b).set(b, a);
  const [ofA, ofB] = [partsOf(a), partsOf(b)];
  return (
    Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) ||
    ofA.length !== ofB.length ||
    ofA.some((part, index) => differs(part, ofB[index], twins))
  );
}

function partsOf(value: object): readonly unknown[] {
  if (value instanceof Map) return [...value].flat();
  return value instanceof Set ? [...value] : Object.entries(value).flat();
}

test('what is read is what was written, and shares what it shared', () => {
  fc.assert(
    fc.property(graph, fc.integer({ min: 1, max: 40 }), (value, pieceLength) => {
      const read = readBack(textOf(value), pieceLength);
      expect(differs(value, read)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('the engine plans on a snapshot that was read as on the one that was written', () => {
  fc.assert(
    fc.property(randomCaseWithAllRules, (question) => {
      const text = textOf(question);
      const read = readBack(text) as typeof question;
      expect(textOf(read)).toBe(text);
      const [here, there] = [question, read].map(({ snapshot, pods }) => solve(snapshot, pods));
      // Refusals are worked out when they are read; as JSON they are plain values.
      expect(JSON.stringify(there?.unplaced)).toBe(JSON.stringify(here?.unplaced));
      expect(there).toEqual(here);
    }),
    { numRuns: 150 },
  );
});

test.each(['web', 'diverse', 'preferences', 'constrained', 'stateful', 'fragmented'])(
  'a cluster of the family %s is read as it was written, and planned the same',
  (family) => {
    const raw = fewEc2Types();
    const objects = generate({ family, pods: 150, nodes: 20, seed: 3, types: typesFrom(raw) });
    const question = questionOf(scenarioOf(objects), instanceTypesOf(raw));
    const read = readBack(textOf(question), 10_000) as typeof question;
    expect(differs(question, read)).toBe(false);
    expect(solve(read.snapshot, read.pods)).toEqual(solve(question.snapshot, question.pods));
  },
);

test('a large value comes in small steps', () => {
  const pods = Array.from({ length: 20_000 }, (_, index) => ({ name: `pod-${index}` }));
  const steps = [...writingGraph({ pods, again: [...pods], map: new Map([[1, pods]]) })];
  expect(steps.length).toBeGreaterThan(80);
  expect(Math.max(...steps.map((step) => step.length))).toBeLessThan(40_000);
});

test('what has no end and what is no plain value is not written', () => {
  const circle: unknown[] = [];
  circle.push({ circle });
  expect(() => textOf(circle)).toThrow('leads back to itself');
  expect(() => textOf([new Date(0)])).toThrow('an object of a class');
  expect(() => textOf([() => 1])).toThrow('it holds a function');
});

test('a text that ends early, or lacks a line, is not taken for a value', () => {
  const text = textOf({ a: [1] });
  expect(() => readBack(text.slice(0, -2))).toThrow('its end is missing');
  expect(() => readBack(text.split('\n').slice(1).join('\n'))).toThrow();
});
