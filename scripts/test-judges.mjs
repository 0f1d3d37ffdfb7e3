// Lets code that we did not write judge ours: the original's Go modules and moto, the AWS emulator from PyPI.
// What they need is fetched by Go and pip once and kept in ~/.cache/karpenter-ts.
import { answerHelp } from './command-line.mjs';
import { run, setUp } from './setup.mjs';

answerHelp('npm run test:judges -- [part of a path …] [flags of vitest]');
await setUp();
// Before the tests, since the first build of the original takes minutes in which nothing else would answer.
await run(process.execPath, ['bench/anchor.mjs'], { stdio: 'inherit' });
await run(
  process.execPath,
  ['scripts/test.mjs', '--config', 'vitest.judges.config.ts', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
