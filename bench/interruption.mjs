// How many interruption messages a second the controller handles: node bench/interruption.mjs [messages]
// Everything is in this process, the queue included, so that the figure is what we cost and not the network.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { root } from '../scripts/setup.mjs';

const folder = join(root, 'dist', 'bench', String(process.pid));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const { output } = await build({
  input: join(root, 'bench', 'interruption.ts'),
  cwd: root,
  platform: 'node',
  logLevel: 'silent',
  output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs' },
});
const { measure } = await import(pathToFileURL(join(folder, output[0].fileName)).href);
const messages = Number(process.argv[2] ?? 10_000);
const figures = await measure(messages, root);
console.log(JSON.stringify(figures, undefined, 2));
