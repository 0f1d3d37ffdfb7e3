import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import type { HttpHandler } from '../../src/ports/http.ts';
import { serveKube } from '../../src/world/kube/serve.ts';
import { createKubeServer } from '../../src/world/kube/server.ts';
import { type Outcome, runKubectl, startKubectl } from './kubectl.ts';

/** An API server of ours, without controllers or kubelets, and kubectl pointed at it. */
export interface Cluster {
  /** What kubectl printed; throws with its complaint when it fails. */
  run(command: string, input?: object | string): Promise<string>;
  /** The same for a command that may fail. */
  attempt(command: string, input?: object | string): Promise<Outcome>;
  /** Starts a command that goes on by itself, such as a watch. */
  follow(command: string): Follower;
  /** Sets the status of an object, in the place of the controllers that are not there. */
  setStatus(object: string, status: object): Promise<void>;
  /** The same server, called in this process. */
  readonly handle: HttpHandler;
  close(): Promise<void>;
}

export interface Follower {
  /** Resolves with everything printed so far once it matches; rejects when kubectl ends before. */
  until(pattern: RegExp): Promise<string>;
  stop(): void;
}

export async function startCluster(): Promise<Cluster> {
  const clock = createSystemClock();
  const server = createKubeServer({ clock, random: createSeededRandom(1) });
  const served = await serveKube({ handle: server.handle, nowMs: clock.nowMs() });
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-test-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, served.kubeconfig, { mode: 0o600 });
  const options = { kubeconfig, cacheFolder: folder };

  const attempt = (command: string, input?: object | string): Promise<Outcome> => {
    const text = typeof input === 'object' ? JSON.stringify(input) : input;
    return runKubectl(words(command), { ...options, input: text });
  };
  const run = async (command: string, input?: object | string): Promise<string> => {
    const { code, stdout, stderr } = await attempt(command, input);
    if (code !== 0) throw new Error(`kubectl ${command} ended with ${code}: ${stderr}`);
    return stdout;
  };
  return {
    run,
    attempt,
    handle: server.handle,
    follow: (command) => follow(startKubectl(words(command), options)),
    setStatus: async (object, status) => {
      const patch = JSON.stringify({ status });
      await run(`patch ${object} --subresource=status --type=merge -p '${patch}'`);
    },
    close: async () => {
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Splits at spaces outside of single quotes, as a shell would. */
function words(command: string): readonly string[] {
  return [...command.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

function follow(child: ReturnType<typeof startKubectl>): Follower {
  let printed = '';
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece) => {
      printed += String(piece);
      tell();
    });
  }
  child.once('close', tell);
  return {
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const isEnded = child.exitCode !== null || child.signalCode !== null;
          if (!pattern.test(printed) && !isEnded) return;
          listeners.delete(look);
          if (pattern.test(printed)) resolve(printed);
          else reject(new Error(`kubectl ended before ${pattern}: ${printed}`));
        };
        listeners.add(look);
        look();
      }),
    stop: () => child.kill('SIGINT'),
  };
}
