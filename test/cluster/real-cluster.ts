import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Environment,
  eventually,
  type Process,
  runProgram,
  startProcess,
} from '../processes.ts';

/** A real control plane, our AWS endpoint and machines beside it, and our controller, each a process. */
export interface RealCluster {
  readonly env: Environment;
  kubectl(...args: string[]): Promise<string>;
  startController(...flags: string[]): Process;
  stop(): Promise<void>;
}

export interface RealClusterOptions {
  /** How much faster than life machines boot; as the command has it unless told. */
  readonly speed?: number;
}

const name = 'sandbox';
const bin = 'bin/karpenter';

export async function startRealCluster(options: RealClusterOptions = {}): Promise<RealCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-cluster-'));
  const runFolder = join(folder, 'run');
  const kubeconfig = join(runFolder, 'kubeconfig');
  await runProgram(['scripts/cluster/up', runFolder]);
  const binaries = (await runProgram(['scripts/cluster/build', '--where'])).trim();
  const speed = options.speed === undefined ? [] : [`--speed=${options.speed}`];
  const world = startProcess(
    [bin, 'world', `--cluster-name=${name}`, `--kubeconfig=${kubeconfig}`, ...speed],
    {},
  );
  const stop = async (): Promise<void> => {
    await world.end();
    await runProgram(['scripts/cluster/down', '--remove', runFolder]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually('the world is up', async () => world.output().includes('the world is up'), {
      seconds: 90,
      explain: world.output,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const env = { ...exportsOf(world.output()), KUBECONFIG: kubeconfig };
  return {
    env,
    kubectl: (...args) => runProgram([join(binaries, 'kubectl'), ...args], env),
    startController: (...flags) =>
      startProcess(
        [
          bin,
          'controller',
          `--cluster-name=${name}`,
          `--interruption-queue=${name}`,
          ...quietPorts,
          ...flags,
        ],
        env,
      ),
    stop,
  };
}

const quietPorts = ['--metrics-port=0', '--health-probe-port=0', '--console-port=0'];

function exportsOf(output: string): Record<string, string> {
  return Object.fromEntries(
    [...output.matchAll(/^export (\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
  );
}
