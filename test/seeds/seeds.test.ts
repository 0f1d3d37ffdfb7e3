import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { customResourceDefinitions } from '../../src/api/crds.ts';
import { readManifestFile } from '../../src/api/manifest/manifest-file.ts';
import { type Admission, openAdmission } from '../../src/cli/manifest/admission.ts';
import { convertFiles } from '../../src/cli/manifest/convert-files.ts';
import { lintCatalog } from '../../src/cli/manifest/lint-catalog.ts';
import { lintFiles } from '../../src/cli/manifest/lint-files.ts';
import { loadCatalog } from '../../src/world/aws/catalog.ts';
import { type ApiServer, startEmbeddedApiServer } from '../judges/crds/api-server.ts';
import { seedFixtures } from './expectations.ts';
import { readFixture, seedsSuite } from './suite.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await startEmbeddedApiServer(customResourceDefinitions());
});

seedsSuite('before the embedded API server', () => server.handle);

test('every fixture is expected to do something', () => {
  const folder = fileURLToPath(new URL('fixtures', import.meta.url));
  expect(seedFixtures.map(({ file }) => file)).toEqual(readdirSync(folder).sort());
});

describe.each(seedFixtures)('convert of $file', ({ file, changes }) => {
  const source = readFixture(file);
  const [result] = convertFiles([source]);

  test(`makes ${changes} changes`, () => {
    expect(result?.reports.filter(({ isChange }) => isChange)).toHaveLength(changes);
    expect(result?.isChanged).toBe(changes > 0);
    expect(result?.problems).toEqual([]);
  });

  test('leaves nothing to convert', () => {
    const [again] = convertFiles([readManifestFile(file, result?.text ?? '')]);
    expect(again?.isChanged).toBe(false);
    expect(again?.text).toBe(result?.text);
  });

  test('keeps variables and most comments', () => {
    const text = readFixtureText(file);
    for (const [variable] of text.matchAll(/\$\{\w+\}|\$[A-Z_]+/g))
      expect(result?.text).toContain(variable);
    if (changes === 0) expect(result?.text).toBe(text);
  });
});

describe('lint', () => {
  let admission: Admission;
  const catalog = loadCatalog(readFileSync('data/ec2-catalog.json', 'utf8'));
  const knowledge = {
    kubernetesVersion: '1.33',
    instanceTypes: lintCatalog(catalog, 'us-east-1'),
  };
  beforeAll(async () => {
    admission = await openAdmission();
  });

  test.each(seedFixtures)('of $file finds $lint', async ({ file, lint }) => {
    const found = await lintFiles([readFixture(file)], knowledge, admission);
    expect([...new Set(found.map(({ code }) => code))].sort()).toEqual(lint);
  });
});

function readFixtureText(file: string): string {
  return readFileSync(fileURLToPath(new URL(`fixtures/${file}`, import.meta.url)), 'utf8');
}
