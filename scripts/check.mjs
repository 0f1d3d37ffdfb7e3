// The one gate: format and lint, types and import arrows, tidiness and unused exports, everyday tests.
import { readCommandLine } from './command-line.mjs';
import { run, setUp, tool } from './setup.mjs';

const steps = [
  ['format and lint', tool('biome'), ['check', '--error-on-warnings', '.']],
  ['types and arrows', tool('tsc'), ['-b']],
  ['tidy', process.execPath, ['scripts/tidy.mjs']],
  ['everyday tests', process.execPath, ['scripts/test.mjs', 'src']],
];

readCommandLine('npm run check');
await setUp();
for (const [name, command, args] of steps) {
  console.log(`check: ${name}`);
  try {
    await run(command, args, { stdio: 'inherit' });
  } catch (error) {
    console.error(`check: ${name} failed: ${error.message}`);
    process.exit(1);
  }
}
console.log('check: all good');
