// Bundles TypeScript in bench/ with the sources it measures, in a tenth of a second, without a build of the rest.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, setUp } from '../scripts/setup.mjs';

/** What the entry exports, bundled anew and loaded into this process. Prints nothing on stdout. */
export async function load(entry) {
  if (!existsSync(join(root, 'node_modules', 'rolldown'))) await setUp();
  const { build } = await import('rolldown');
  // Not in dist/, which another build may empty at any time.
  const folder = join(root, 'node_modules', '.cache', 'karpenter-bench', String(process.pid));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { output } = await build({
    input: join(root, 'bench', entry),
    cwd: root,
    platform: 'node',
    external: ['highs'],
    logLevel: 'silent',
    output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs' },
  });
  return await import(pathToFileURL(join(folder, output[0].fileName)).href);
}
