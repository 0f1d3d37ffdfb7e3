import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type ManifestFile, readManifestFile } from '../../src/api/manifest/manifest-file.ts';
import { convertFiles } from '../../src/cli/manifest/convert-files.ts';
import type { HttpHandler } from '../../src/ports/http.ts';
import { type Expected, seedFixtures } from './expectations.ts';
import { type Manifest, raised, verdictOf } from './verdict.ts';

/** Every fixture before and after convert, before one API server. */
export function seedsSuite(name: string, handle: () => HttpHandler): void {
  describe.each(seedFixtures)(`$file ${name}`, (fixture) => {
    const before = readFixture(fixture.file);

    test('as it is written', async () => {
      await judge(objectsOf(before), fixture.written);
    });

    test('with only its version raised', async () => {
      await judge(objectsOf(before).map(raised), fixture.raised);
    });

    test('after convert', async () => {
      await judge(objectsOf(converted(before)), fixture.converted);
    });
  });

  async function judge(objects: readonly Manifest[], expected: readonly Expected[]): Promise<void> {
    expect(objects).toHaveLength(expected.length);
    for (const [index, object] of objects.entries()) {
      const verdict = await verdictOf(handle(), object);
      const wanted = expected[index] ?? 'accepted';
      if (typeof wanted === 'string') expect(verdict).toBe(wanted);
      else expect(verdict).toMatch(wanted);
    }
  }
}

export function readFixture(file: string): ManifestFile {
  const path = fileURLToPath(new URL(`fixtures/${file}`, import.meta.url));
  return readManifestFile(file, readFileSync(path, 'utf8'));
}

function converted(file: ManifestFile): ManifestFile {
  const [result] = convertFiles([file]);
  return readManifestFile(file.name, result?.text ?? '');
}

/** The objects of a file, with variables as the text that they are. */
function objectsOf({ parts, mask }: ManifestFile): readonly Manifest[] {
  return parts.flatMap((part): readonly Manifest[] => {
    if (part.kind !== 'document') return [];
    const object = JSON.parse(mask.unmask(JSON.stringify(part.value))) as Manifest | null;
    return object?.kind === undefined ? [] : [object];
  });
}
