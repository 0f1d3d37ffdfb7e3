import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { loadKubeconfig } from '../../src/adapters/kube/kubeconfig.ts';
import { createTransport } from '../../src/adapters/kube/transport.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { resource } from '../../src/api/kubernetes/core.ts';
import { type Clock, sleep } from '../../src/ports/clock.ts';
import { isKubeError, type KubeClient } from '../../src/ports/kube.ts';
import { kubeClientContract } from '../contracts/kube-client.contract.ts';
import { runProgram } from '../processes.ts';

const definitions = resource(
  'apiextensions.k8s.io/v1/customresourcedefinitions',
  'CustomResourceDefinition',
  'cluster',
);
const gadgets = resource('contract.example.com/v1/gadgets', 'Gadget', 'cluster');

const folder = mkdtempSync(join(tmpdir(), 'karpenter-contract-'));
const runFolder = join(folder, 'run');

beforeAll(() => runProgram(['scripts/cluster/up', runFolder]));
afterAll(async () => {
  await runProgram(['scripts/cluster/down', '--remove', runFolder]);
  rmSync(folder, { recursive: true, force: true });
});

kubeClientContract('against a real API server', async () => {
  const clock = createSystemClock();
  const path = join(runFolder, 'kubeconfig');
  const transport = createTransport(loadKubeconfig({ path, env: process.env }), clock);
  const client = createKubeClient({ send: transport, clock, watchSeconds: 50 });
  return {
    client,
    promisesBookmarks: false,
    forgotten: async () => {
      await defineGadgets(client);
      // The server began to remember gadgets when they were defined, long after that version.
      await waitUntil(clock, () => isServed(client));
      return { resource: gadgets, resourceVersion: '1' };
    },
    during: (work) => work,
    close: async () => transport.close(),
  };
});

async function defineGadgets(client: KubeClient): Promise<void> {
  const { group, version, plural, kind } = gadgets;
  const schema = { openAPIV3Schema: { type: 'object' } };
  const definition = {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { plural, kind, singular: 'gadget' },
      scope: 'Cluster',
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
  await client.create(definitions, definition);
}

async function isServed(client: KubeClient): Promise<boolean> {
  try {
    await client.list(gadgets);
    return true;
  } catch (error) {
    if (isKubeError(error, 'not-found')) return false;
    throw error;
  }
}

async function waitUntil(clock: Clock, condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(clock, 100);
}
