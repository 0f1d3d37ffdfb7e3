import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKubeconfig } from '../../../src/adapters/kube/kubeconfig.ts';
import { createTransport } from '../../../src/adapters/kube/transport.ts';
import { createSeededRandom } from '../../../src/adapters/system/seeded-random.ts';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { createVirtualClock } from '../../../src/adapters/system/virtual-clock.ts';
import type { CustomResourceDefinition } from '../../../src/api/crds.ts';
import type { HttpHandler } from '../../../src/ports/http.ts';
import { readBody } from '../../../src/ports/http.ts';
import { createKubeServer } from '../../../src/world/kube/server.ts';
import { eventually, runProgram } from '../../processes.ts';
import { collectionOf, storedSamples } from './question.ts';
import { allSamples } from './samples.ts';

/** An API server that holds definitions and the samples. */
export interface ApiServer {
  readonly handle: HttpHandler;
  /** What the server warned of when the definitions came. */
  readonly warnings: readonly string[];
  stop(): Promise<void>;
}

/** A real kube-apiserver with an etcd of its own, and nothing else. */
export async function startRealApiServer(
  definitions: readonly CustomResourceDefinition[],
): Promise<ApiServer> {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-crds-'));
  const run = join(folder, 'run');
  const others = ['--without-scheduler', '--without-controller-manager'];
  await runProgram(['scripts/cluster/up', ...others, run]);
  const connection = loadKubeconfig({ path: join(run, 'kubeconfig'), env: process.env });
  const transport = createTransport(connection, createSystemClock());
  const stop = async (): Promise<void> => {
    transport.close();
    await runProgram(['scripts/cluster/down', '--remove', run]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { handle: transport, warnings: await prepare(transport, definitions), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Our own API server, in this process. */
export async function startEmbeddedApiServer(
  definitions: readonly CustomResourceDefinition[],
): Promise<ApiServer> {
  const clock = createVirtualClock();
  const { handle } = createKubeServer({ clock, random: createSeededRandom(1) });
  return { handle, warnings: await prepare(handle, definitions), stop: async () => undefined };
}

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function prepare(
  handle: HttpHandler,
  definitions: readonly CustomResourceDefinition[],
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const definition of definitions) {
    const { warning } = await post(handle, definitionsPath, definition);
    if (warning !== undefined) warnings.push(`${definition.metadata.name}: ${warning}`);
  }
  for (const samples of allSamples) {
    const path = collectionOf(samples.resource);
    await eventually(`${path} is served`, async () => (await get(handle, path)) === 200);
    for (const sample of storedSamples(samples)) await post(handle, path, sample);
  }
  return warnings;
}

async function post(
  handle: HttpHandler,
  path: string,
  object: object,
): Promise<{ readonly warning: string | undefined }> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const body = JSON.stringify(object);
  const response = await handle({ method: 'POST', path, headers, body });
  const answer = await readBody(response);
  if (response.status >= 300) throw new Error(`POST ${path}: ${response.status} ${answer}`);
  return { warning: response.headers.warning };
}

async function get(handle: HttpHandler, path: string): Promise<number> {
  const response = await handle({ method: 'GET', path, headers: { accept: 'application/json' } });
  await readBody(response);
  return response.status;
}
