// How long anything else waits while a large batch is planned: node bench/event-loop.mjs types.json [pods] [family]
// The planner is the controller's own, in slices, on the machine's clock.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { root } from '../scripts/setup.mjs';

const [file, pods = '20000', family = 'diverse'] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node bench/event-loop.mjs types.json [pods] [family]');
  process.exit(2);
}
const folder = join(root, 'dist', 'bench', String(process.pid));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const { output } = await build({
  input: join(root, 'bench', 'event-loop.ts'),
  cwd: root,
  platform: 'node',
  logLevel: 'silent',
  output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs' },
});
const { measure } = await import(pathToFileURL(join(folder, output[0].fileName)).href);
const figures = await measure(JSON.parse(readFileSync(file, 'utf8')), Number(pods), family);
console.log(JSON.stringify(figures, undefined, 2));
