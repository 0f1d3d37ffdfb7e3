import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CustomResourceDefinition } from '../../../src/api/crds.ts';

/** The release whose definitions ours must equal. */
const release = 'github.com/aws/karpenter-provider-aws@v1.14.1';

/** The definitions of the original, read from its Go module, which Go fetches once and keeps. */
export function originalDefinitions(wanted = release): readonly CustomResourceDefinition[] {
  const folder = join(moduleFolder(wanted), 'pkg/apis/crds');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => parse(readFileSync(join(folder, name), 'utf8')) as CustomResourceDefinition);
}

function moduleFolder(wanted: string): string {
  // Away from any go.mod, so that nothing else is asked for.
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-original-'));
  try {
    const answer = execFileSync('go', ['mod', 'download', '-json', wanted], {
      cwd: folder,
      env: { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=mod' },
      encoding: 'utf8',
    });
    return (JSON.parse(answer) as { Dir: string }).Dir;
  } catch (error) {
    throw new Error(`Go is needed to fetch ${wanted}, whose CRDs judge ours`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
