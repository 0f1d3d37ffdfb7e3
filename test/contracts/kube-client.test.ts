import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { loadKubeconfig } from '../../src/adapters/kube/kubeconfig.ts';
import { createTransport } from '../../src/adapters/kube/transport.ts';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createVirtualClock, type VirtualClock } from '../../src/adapters/system/virtual-clock.ts';
import { namespaces } from '../../src/api/kubernetes/core.ts';
import type { KubeClient } from '../../src/ports/kube.ts';
import { serveKube } from '../../src/world/kube/serve.ts';
import { createKubeServer } from '../../src/world/kube/server.ts';
import { kubeClientContract } from './kube-client.contract.ts';

const historyLength = 50;
const unlimited = { requestsPerSecond: 100_000, burst: 100_000 };

kubeClientContract('against the embedded server in process, on a virtual clock', async () => {
  const clock = createVirtualClock();
  const { handle } = createKubeServer({ clock, random: createSeededRandom(1), historyLength });
  const client = createKubeClient({ send: handle, clock, rateLimit: unlimited });
  return {
    client,
    promisesBookmarks: true,
    forgotten: () => outliveHistory(client),
    during: (work) => drive(clock, work),
    close: async () => {},
  };
});

kubeClientContract('against the embedded server over TLS', async () => {
  const clock = createSystemClock();
  // The server's time is its own, so that nobody waits a minute for a bookmark.
  const serverClock = createVirtualClock(clock.nowMs());
  const random = createSeededRandom(1);
  const { handle } = createKubeServer({ clock: serverClock, random, historyLength });
  const served = await serveKube({ handle, nowMs: clock.nowMs() });
  const folder = mkdtempSync(join(tmpdir(), 'kube-contract-'));
  const path = join(folder, 'kubeconfig');
  writeFileSync(path, served.kubeconfig);
  const transport = createTransport(loadKubeconfig({ path, env: {} }), clock);
  const client = createKubeClient({ send: transport, clock, rateLimit: unlimited });
  return {
    client,
    promisesBookmarks: true,
    forgotten: () => outliveHistory(client),
    during: (work) => drive(serverClock, work),
    close: async () => {
      transport.close();
      await served.close();
      rmSync(folder, { recursive: true });
    },
  };
});

/** More changes of one kind than the server remembers. */
async function outliveHistory(client: KubeClient) {
  const { resourceVersion } = await client.list(namespaces);
  for (let change = 0; change < 2 * historyLength; change++) {
    const body = { metadata: { annotations: { change: String(change) } } };
    await client.patch(namespaces, { name: 'default' }, { type: 'merge', body });
  }
  return { resource: namespaces, resourceVersion };
}

async function drive<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  work.then(settle, settle);
  while (!isSettled) await clock.runUntil(() => isSettled, 60_000);
  return work;
}
