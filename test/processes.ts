import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createSystemClock } from '../src/adapters/system/system-clock.ts';
import { sleep } from '../src/ports/clock.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const clock = createSystemClock();

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Process {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Ends it with the signal and waits until it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program of the checkout and keeps what it prints. */
export function startProcess(command: readonly string[], env: Environment): Process {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  return {
    child,
    output: () => text,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}

/** Runs a program to its end; rejects with what it printed when it fails. */
export function runProgram(command: readonly string[], env: Environment = {}): Promise<string> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command.join(' ')}: ${stderr || error.message}`));
    });
  });
}

/** Looks twice a second until the question is answered with true, or throws after the patience. */
export async function eventually(
  what: string,
  isTrue: () => Promise<boolean>,
  options: { readonly seconds: number; readonly explain?: () => string } = { seconds: 60 },
): Promise<void> {
  const deadlineMs = clock.nowMs() + options.seconds * 1000;
  while (!(await isTrue())) {
    if (clock.nowMs() > deadlineMs) {
      throw new Error(`not after ${options.seconds} s: ${what}\n${options.explain?.() ?? ''}`);
    }
    await sleep(clock, 500);
  }
}
