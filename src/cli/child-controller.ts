import { type ChildProcess, spawn } from 'node:child_process';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Clock, sleep } from '../ports/clock.ts';

export interface ChildController {
  readonly url: string;
  readonly pid: number;
  /** The latest lines of its log. */
  logTail(): readonly string[];
  /** Resolves when it has ended, with what to tell a person unless it was asked to. */
  readonly ended: Promise<string | undefined>;
  stop(): Promise<void>;
}

const keptLogLines = 40;
const readyPatienceMs = 60_000;

/** Starts `karpenter controller` as a process of its own, as a user would, and waits until it is ready. */
export async function startChildController(options: {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  readonly clusterName: string;
  readonly port: number;
  /** Gives up waiting, and stops it, when aborted. */
  readonly signal: AbortSignal;
}): Promise<ChildController> {
  const port = await freePort(options.port);
  const webhookPort = await freePort(0);
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('../../bin/karpenter', import.meta.url)),
      ...flags(options.clusterName, port),
      `--webhook-port=${webhookPort}`,
      `--webhook-url=https://127.0.0.1:${webhookPort}`,
    ],
    {
      env: { ...process.env, ...options.env },
      // It ends by itself when the channel closes, so it is not left behind even if we are killed.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A terminal's Ctrl-C reaches us alone; we pass it on when the world may lose its controller.
      detached: true,
    },
  );
  const controller = follow(child, `http://127.0.0.1:${port}/`);
  try {
    await untilReady(options, controller);
  } catch (error) {
    await controller.stop();
    throw error;
  }
  return controller;
}

function flags(clusterName: string, port: number): readonly string[] {
  return [
    'controller',
    `--cluster-name=${clusterName}`,
    `--interruption-queue=${clusterName}`,
    `--console-port=${port}`,
    '--metrics-port=0',
    '--health-probe-port=0',
    '--host=127.0.0.1',
  ];
}

function follow(child: ChildProcess, url: string): ChildController {
  const lines: string[] = [];
  let isAsked = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter((line) => line !== ''));
      lines.splice(0, lines.length - keptLogLines);
    });
  }
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(`the controller did not start: ${error.message}`));
    child.on('exit', (code, signal) =>
      resolve(
        isAsked
          ? undefined
          : `the controller ended with ${signal ?? `exit code ${code}`}; its last log lines:\n${lines.join('\n')}`,
      ),
    );
  });
  return {
    url,
    pid: child.pid ?? 0,
    logTail: () => lines,
    ended,
    stop: async () => {
      isAsked = true;
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilReady(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  controller: ChildController,
): Promise<void> {
  const deadlineMs = clock.nowMs() + readyPatienceMs;
  const failure = controller.ended.then((reason) => {
    throw new Error(reason ?? 'the controller ended');
  });
  while (!(await Promise.race([answersOk(`${controller.url}readyz`), failure]))) {
    if (clock.nowMs() > deadlineMs) {
      throw new Error(
        `the controller was not ready after ${readyPatienceMs / 1000} s\n${controller.logTail().join('\n')}`,
      );
    }
    await sleep(clock, 50, signal);
  }
  failure.catch(() => undefined);
}

function answersOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

/** The wanted port if it is free, else any. */
function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () =>
      wanted === 0 ? reject(new Error('no free port on 127.0.0.1')) : resolve(freePort(0)),
    );
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : wanted;
      probe.close(() => resolve(port));
    });
  });
}
