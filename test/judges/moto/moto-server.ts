import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { type Process, startProcess } from '../../processes.ts';
import { findTool } from '../../tools.ts';

const version = '5.2.5';
const venv = join(homedir(), '.cache', 'karpenter-ts', 'moto');

/** The AWS of moto on a port of this machine. */
export interface MotoServer {
  readonly endpoint: string;
  end(): Promise<void>;
}

/** Installs moto where it is missing, and starts it. Says clearly when there is no Python to run it. */
export async function startMoto(): Promise<MotoServer> {
  const server = join(venv, 'bin', 'moto_server');
  if (!existsSync(server)) install();
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = startProcess([server, '-H', '127.0.0.1', '-p', String(port)], {});
  await untilAnswering(endpoint, child);
  return { endpoint, end: () => child.end() };
}

function install(): void {
  const python = findTool('PYTHON', 'python3');
  if (python === undefined)
    throw new Error(
      'the judge moto needs python3 with venv and pip on the PATH, or named by PYTHON',
    );
  execFileSync(python, ['-m', 'venv', venv]);
  execFileSync(join(venv, 'bin', 'pip'), ['install', '--quiet', `moto[server]==${version}`]);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

async function untilAnswering(endpoint: string, child: Process): Promise<void> {
  const clock = createSystemClock();
  for (let tries = 0; tries < 300; tries++) {
    try {
      if ((await fetch(`${endpoint}/moto-api/`)).ok) return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await sleep(clock, 200);
  }
  await child.end('SIGKILL');
  throw new Error(`moto does not answer\n${child.output()}`);
}
