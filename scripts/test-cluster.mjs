// Plays the stories against a real kube-apiserver, kube-scheduler and kube-controller-manager on loopback.
// The control plane is built from Go modules once and cached; with the cache filled Go is not needed.
import { answerHelp } from './command-line.mjs';
import { run, setUp } from './setup.mjs';

answerHelp('npm run test:cluster -- [part of a path …] [flags of vitest]');
await setUp();
try {
  await run('scripts/cluster/build', []);
} catch (error) {
  console.error(`test:cluster: the control plane could not be built: ${error.message}`);
  console.error(
    'test:cluster: install Go 1.25 or newer and run it again; the build is kept in ~/.cache/karpenter-ts',
  );
  process.exit(1);
}
await run(
  process.execPath,
  ['scripts/test.mjs', '--config', 'vitest.cluster.config.ts', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
