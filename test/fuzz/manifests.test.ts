import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { customResourceDefinitions } from '../../src/api/crds.ts';
import type { LintKnowledge } from '../../src/api/lint/knowledge.ts';
import { type ManifestFile, readManifestFile } from '../../src/api/manifest/manifest-file.ts';
import { leavesOf, type Value } from '../../src/api/value.ts';
import { openAdmission } from '../../src/cli/manifest/admission.ts';
import { type ConvertedFile, convertFiles } from '../../src/cli/manifest/convert-files.ts';
import { lintCatalog } from '../../src/cli/manifest/lint-catalog.ts';
import { lintFiles } from '../../src/cli/manifest/lint-files.ts';
import { readBody } from '../../src/ports/http.ts';
import { loadCatalog } from '../../src/world/aws/catalog.ts';
import { type ApiServer, startEmbeddedApiServer } from '../judges/crds/api-server.ts';
import { hostileSource } from './hostile.ts';

const seed = 20_261_116;

/** Seconds on a free machine; a busy one may take its time. */
const patience = { timeout: 240_000 };

describe('convert', () => {
  test(
    'of 5,000 hostile texts ends with text or with a reason, and loses nothing in silence',
    patience,
    () => {
      const source = hostileSource(createSeededRandom(seed));
      let changed = 0;
      let unreadable = 0;
      for (let round = 0; round < 5_000; round++) {
        const text = source.text();
        const file = readManifestFile('fuzz.yaml', text);
        const [result] = convertFiles([file]);
        if (result === undefined) throw new Error(`round ${round}: no answer`);
        if (result.isChanged) changed++;
        else expect(result.text, `round ${round}`).toBe(text);
        unreadable += result.problems.length;
        expect(lostLeaves(file, result), `round ${round}:\n${text}`).toEqual([]);
      }
      // The texts are worth something only if all ways are taken.
      expect(changed).toBeGreaterThan(1_000);
      expect(unreadable).toBeGreaterThan(500);
    },
  );
});

describe('lint', () => {
  let knowledge: LintKnowledge;
  beforeAll(() => {
    const catalog = loadCatalog(readFileSync('data/ec2-catalog.json', 'utf8'));
    const instanceTypes = lintCatalog(catalog, 'us-east-1')?.filter((_, index) => index % 40 === 0);
    knowledge = { kubernetesVersion: '1.33', instanceTypes };
  });

  test(
    'of 2,500 hostile texts ends with findings that have a code, a sentence and a fix',
    patience,
    async () => {
      const source = hostileSource(createSeededRandom(seed + 1));
      const admission = await openAdmission();
      for (let round = 0; round < 2_500; round++) {
        const file = readManifestFile('fuzz.yaml', source.text());
        for (const found of await lintFiles([file], knowledge, admission)) {
          expect(found.code).toMatch(/^KTS\d{3}$/);
          expect(found.sentence).not.toBe('');
          expect(found.fix).not.toBe('');
          expect(found.line).toBeGreaterThan(0);
        }
      }
    },
  );
});

describe('admission', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startEmbeddedApiServer(customResourceDefinitions());
  });

  test('of 2,500 hostile bodies ends with an object or with a Status', patience, async () => {
    const source = hostileSource(createSeededRandom(seed + 2));
    const paths = [
      'karpenter.sh/v1/nodepools',
      'karpenter.sh/v1/nodeclaims',
      'karpenter.k8s.aws/v1/ec2nodeclasses',
    ];
    for (let round = 0; round < 2_500; round++) {
      const body = round % 2 === 0 ? JSON.stringify(source.value()) : source.text();
      const type = round % 2 === 0 ? 'application/json' : 'application/yaml';
      const response = await server.handle({
        method: 'POST',
        path: `/apis/${paths[round % 3]}?fieldValidation=${['Strict', 'Warn', 'Ignore'][round % 3]}`,
        headers: { 'content-type': type, accept: 'application/json' },
        body,
      });
      const answer = JSON.parse(await readBody(response)) as { kind?: string; message?: string };
      expect(response.status, `round ${round}`).toBeLessThan(500);
      if (response.status >= 400) expect(answer.message, `round ${round}`).not.toBe('');
    }
  });
});

test('no prototype was touched on the way', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).spec).toBeUndefined();
});

/** Scalars of the input that are neither in the output nor named in a line about a change. */
function lostLeaves(before: ManifestFile, result: ConvertedFile): readonly string[] {
  if (!result.isChanged) return [];
  const after = readManifestFile('fuzz.yaml', result.text);
  const kept = new Map<string, number>();
  for (const leaf of scalarsOf(after)) kept.set(leaf, (kept.get(leaf) ?? 0) + 1);
  const told = result.reports.map(({ what, question = '' }) => `${what} ${question}`).join('\n');
  const lost: string[] = [];
  for (const leaf of scalarsOf(before)) {
    const left = kept.get(leaf) ?? 0;
    if (left > 0) kept.set(leaf, left - 1);
    else if (!told.includes(leaf)) lost.push(leaf);
  }
  return lost;
}

function scalarsOf({ parts, mask }: ManifestFile): readonly string[] {
  return parts.flatMap((part) =>
    part.kind === 'document'
      ? leavesOf(part.value)
          .filter(({ value }) => typeof value !== 'object' || value === null)
          .map(({ value }) => mask.unmask(scalar(value)))
      : [],
  );
}

function scalar(value: Value): string {
  return typeof value === 'number' && !Number.isFinite(value)
    ? String(value)
    : JSON.stringify(value);
}
