import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';

/** The kubectl to test with: `$KUBECTL`, else on PATH, else in the lab's cache; undefined if none. */
export const kubectlPath: string | undefined = findKubectl();

/** Why kubectl tests are skipped, for the name of the suite. */
export const whySkipped = kubectlPath === undefined ? ' (skipped: no kubectl on PATH)' : '';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly kubeconfig: string;
  readonly cacheFolder: string;
  readonly input?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Longer than any command here takes; one that hangs must not hang the suite. */
const limitMs = 30_000;

/** Runs kubectl to its end and tells how it went; a bad exit code is an answer, not an error. */
export function runKubectl(args: readonly string[], options: RunOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      kubectlPath ?? 'kubectl',
      [...args],
      { env: environment(options), timeout: limitMs, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, stdout, stderr });
      },
    );
    child.stdin?.end(options.input ?? '');
  });
}

/** Starts kubectl and leaves it running; the caller ends it. */
export function startKubectl(args: readonly string[], options: RunOptions): ChildProcess {
  return spawn(kubectlPath ?? 'kubectl', [...args], { env: environment(options) });
}

function environment(options: RunOptions): NodeJS.ProcessEnv {
  return {
    ...env,
    KUBECONFIG: options.kubeconfig,
    KUBECACHEDIR: options.cacheFolder,
    HOME: options.cacheFolder,
    ...options.env,
  };
}

function findKubectl(): string | undefined {
  if (env.KUBECTL !== undefined && env.KUBECTL !== '') return env.KUBECTL;
  const folders = [...(env.PATH ?? '').split(delimiter), join(homedir(), '.cache/kube-lab/bin')];
  return folders.map((folder) => join(folder, 'kubectl')).find((path) => existsSync(path));
}
