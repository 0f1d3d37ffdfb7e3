import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customResourceDefinitions } from '../../src/api/crds.ts';
import {
  type ApiServer,
  startEmbeddedApiServer,
  startRealApiServer,
} from '../judges/crds/api-server.ts';
import { originalDefinitions } from '../judges/crds/original.ts';
import { type Question, questions } from '../judges/crds/question.ts';
import { allSamples } from '../judges/crds/samples.ts';
import { type Verdict, verdicts } from '../judges/crds/verdict.ts';

const counts = { creates: 1600, updates: 200, statuses: 200 };

/** The original's definitions and ours, each on a real API server and on our own. */
interface Courts {
  readonly original: ApiServer;
  readonly ours: ApiServer;
  readonly originalEmbedded: ApiServer;
  readonly oursEmbedded: ApiServer;
}

let courts: Courts;

beforeAll(async () => {
  const theirs = originalDefinitions();
  const own = customResourceDefinitions();
  const [original, ours] = await Promise.all([startRealApiServer(theirs), startRealApiServer(own)]);
  courts = {
    original,
    ours,
    originalEmbedded: await startEmbeddedApiServer(theirs),
    oursEmbedded: await startEmbeddedApiServer(own),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(courts ?? {}).map((court: ApiServer) => court.stop()));
});

test('a real API server takes our definitions without a warning', () => {
  expect(courts.ours.warnings).toEqual([]);
});

describe.each(allSamples)('$resource.kind', (samples) => {
  let asked: readonly Question[];
  let given: Readonly<Record<keyof Courts, readonly Verdict[]>>;

  beforeAll(async () => {
    const name = `${samples.resource.plural}.${samples.resource.group}`;
    const definition = originalDefinitions().find((crd) => crd.metadata.name === name);
    if (definition === undefined) throw new Error(`the original has no ${name}`);
    asked = questions(samples, definition, { seed: 20261, counts });
    const judge = async (court: keyof Courts) => verdicts(courts[court].handle, asked);
    const [original, ours] = await Promise.all([judge('original'), judge('ours')]);
    const originalEmbedded = await judge('originalEmbedded');
    given = { original, ours, originalEmbedded, oursEmbedded: await judge('oursEmbedded') };
  });

  test('the mutants are not all good and not all bad', () => {
    const accepted = given.original.filter(({ status }) => status < 300).length;
    expect(accepted).toBeGreaterThan(asked.length / 10);
    expect(accepted).toBeLessThan((asked.length * 9) / 10);
  });

  test('our definitions take, refuse and complete what those of the original do', () => {
    expect(differences('original', 'ours', judgement)).toEqual([]);
  });

  test('the embedded server says of our definitions what the real one says', () => {
    expect(differences('ours', 'oursEmbedded', everything)).toEqual([]);
  });

  test('the embedded server says of the definitions of the original what the real one says', () => {
    expect(differences('original', 'originalEmbedded', everything)).toEqual([]);
  });

  function differences(
    a: keyof Courts,
    b: keyof Courts,
    seen: (verdict: Verdict) => unknown,
  ): readonly unknown[] {
    return asked.flatMap((question, i) => {
      const first = given[a][i] as Verdict;
      const second = given[b][i] as Verdict;
      if (JSON.stringify(seen(first)) === JSON.stringify(seen(second))) return [];
      return [{ question, [a]: seen(first), [b]: seen(second) }];
    });
  }
});

/** The wording of rules is our own; what is refused, for which fields, and what is stored is not. */
function judgement({ status, fields, stored, warnings }: Verdict): unknown {
  return { status, fields, stored: inOrder(stored), warnings };
}

function everything({ status, causes, stored, warnings }: Verdict): unknown {
  return { status, causes, stored: inOrder(stored), warnings };
}

/** The same value with the keys of objects in the order of the alphabet. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, inOrder(one)]));
}
