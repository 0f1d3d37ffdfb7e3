import { expect, test } from 'vitest';
import { type Environment, runProgram } from '../processes.ts';

const printsItsSize = `data:text/javascript,${encodeURIComponent(`
  import { getHeapSpaceStatistics } from 'node:v8';
  process.on('exit', () => {
    const space = getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
    process.stdout.write(String(space.space_size / 2 ** 20));
  });`)}`;

/** The young generation at the end of a command, both halves together. */
async function sizeMiB(env: Environment): Promise<number> {
  const command = ['--import', printsItsSize, 'bin/karpenter', 'crds'];
  const output = await runProgram([process.execPath, ...command], env);
  return Number(/[\d.]+$/.exec(output)?.[0]);
}

test('garbage is collected in small pieces, so that nothing waits long for it', async () => {
  expect(await sizeMiB({})).toBe(16);
});

test('a size that was asked of Node is left alone', async () => {
  expect(await sizeMiB({ NODE_OPTIONS: '--max-semi-space-size=4' })).toBeLessThanOrEqual(8);
});
