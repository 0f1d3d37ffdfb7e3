import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, runProgram, startProcess } from '../processes.ts';
import { findTool } from '../tools.ts';
import { type RunningStart, runStart } from './running-start.ts';

const pgrep = findTool('PGREP', 'pgrep');

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The process id of the controller that belongs to a start. */
async function controllerOf({ process }: RunningStart): Promise<number> {
  const parent = String(process.child.pid);
  return Number(
    (await runProgram([pgrep ?? '', '-P', parent, '-f', 'karpenter controller'])).trim(),
  );
}

const folderOf = ({ env }: RunningStart): string => dirname(env.KUBECONFIG ?? '');

const isSaid = (start: RunningStart, sentence: string): Promise<void> =>
  eventually(`it says: ${sentence}`, async () => start.process.output().includes(sentence));

/** Waits for the end of a process that nobody asked to end. */
const untilEnded = ({ process: { child } }: RunningStart): Promise<void> =>
  eventually('it ends', async () => child.exitCode !== null || child.signalCode !== null);

describe.skipIf(pgrep === undefined)('the end of start (needs pgrep on the PATH)', () => {
  test('Ctrl-C when it is your turn is a success and leaves nothing behind', async () => {
    const start = await runStart('--no-story');
    await isSaid(start, 'it is your turn');
    const controller = await controllerOf(start);
    await start.process.end('SIGINT');
    expect(start.process.child.exitCode).toBe(0);
    expect(isAlive(controller)).toBe(false);
    expect(existsSync(folderOf(start))).toBe(false);
  }, 90_000);

  test('Ctrl-C before the end of the story is told by the exit code', async () => {
    const start = await runStart('--once');
    await isSaid(start, 'replicas of nginx appear');
    await start.process.end('SIGINT');
    expect(start.process.child.exitCode).toBe(130);
    expect(existsSync(folderOf(start))).toBe(false);
  }, 90_000);

  test('a controller that dies is named, with its last log lines', async () => {
    const start = await runStart('--no-story');
    await isSaid(start, 'it is your turn');
    process.kill(await controllerOf(start), 'SIGKILL');
    await untilEnded(start);
    expect(start.process.child.exitCode).toBe(1);
    expect(start.process.output()).toMatch(
      /karpenter: the controller ended with SIGKILL.*"level":"INFO"/s,
    );
    expect(existsSync(folderOf(start))).toBe(false);
  }, 90_000);

  test('a start that is killed takes its controller with it', async () => {
    const start = await runStart('--no-story');
    await isSaid(start, 'it is your turn');
    const controller = await controllerOf(start);
    await start.process.end('SIGKILL');
    await eventually('the controller is gone', async () => !isAlive(controller));
    rmSync(folderOf(start), { recursive: true, force: true });
  }, 90_000);
});

test('Ctrl-C ends a start whose machines would boot for many minutes more', async () => {
  const start = startProcess(['bin/karpenter', 'start', '--port=0', '--speed=0.05'], {});
  await eventually('the cluster is being built', async () => start.output().includes('is built'));
  await start.end('SIGINT');
  expect(start.child.exitCode).toBe(130);
}, 60_000);

test('JSON is promised only for a story that ends', async () => {
  await expect(runProgram(['bin/karpenter', 'start', '--output', 'json'])).rejects.toThrow(
    /add --once/,
  );
});

test('a reader may close the pipe before all definitions are printed', async () => {
  const printing = startProcess(['bin/karpenter', 'crds'], {});
  printing.child.stdout?.once('data', () => printing.child.stdout?.destroy());
  await eventually('it ends', async () => printing.child.exitCode !== null);
  expect(printing.child.exitCode).toBe(0);
  expect(printing.output()).not.toContain('EPIPE');
});

test('a controller whose port is taken ends and says so', async () => {
  const start = await runStart('--no-story');
  const port = new URL(start.consoleUrl).port;
  await expect(
    runProgram(
      [
        'bin/karpenter',
        'controller',
        '--cluster-name=sandbox',
        '--host=127.0.0.1',
        `--console-port=${port}`,
        '--metrics-port=0',
        '--health-probe-port=0',
      ],
      start.env,
    ),
  ).rejects.toThrow(/in use/);
  await start.process.end();
}, 90_000);
