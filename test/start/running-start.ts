import { type Environment, eventually, type Process, startProcess } from '../processes.ts';

/** `karpenter start` as a person runs it, and the lines it printed to copy. */
export interface RunningStart {
  readonly process: Process;
  readonly consoleUrl: string;
  readonly env: Environment;
}

export async function runStart(...flags: string[]): Promise<RunningStart> {
  const running = startProcess(['bin/karpenter', 'start', '--port=0', ...flags], {});
  await eventually(
    'the console URL is printed',
    async () => {
      if (running.child.exitCode !== null)
        throw new Error(`start ended early: ${running.output()}`);
      return /^export AWS_SECRET/m.test(running.output());
    },
    { seconds: 60, explain: running.output },
  );
  const output = running.output();
  const consoleUrl = /^console\s+(\S+)$/m.exec(output)?.[1] ?? '';
  const exports = [...output.matchAll(/^export (\w+)=(.*)$/gm)];
  return {
    process: running,
    consoleUrl,
    env: Object.fromEntries(exports.map(([, key, value]) => [key, value])),
  };
}
