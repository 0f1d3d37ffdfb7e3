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
export async function runProgram(
  command: readonly string[],
  env: Environment = {},
): Promise<string> {
  const { code, stdout, stderr } = await outcomeOf(command, { env });
  if (code === 0) return stdout;
  throw new Error(`${command.join(' ')}: ${stderr || `ended with ${code}`}`);
}

export interface Outcome {
  /** Undefined where a signal ended it, or it could not be started. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, whatever that is. */
export function outcomeOf(
  command: readonly string[],
  options: { readonly env?: Environment; readonly stdin?: string } = {},
): Promise<Outcome> {
  const [program = '', ...args] = command;
  const settings = {
    cwd: root,
    env: { ...process.env, ...options.env },
    maxBuffer: 64 * 1024 * 1024,
  };
  return new Promise((resolve) => {
    const child = execFile(program, args, settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      const isNumber = typeof code === 'number';
      resolve({
        code: isNumber ? code : undefined,
        stdout,
        stderr: stderr || (isNumber ? '' : (error?.message ?? '')),
      });
    });
    // A program may end before it has read anything; how it ended is what counts.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.stdin);
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
