import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../src/core/cluster/snapshot.ts';
import { type RunningServer, serve } from '../../src/server/serve.ts';
import { readStaticFiles } from '../../src/server/static-files.ts';
import { chromiumPath, launchChromium } from './chromium.ts';

const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

function hostilePod(): Pod {
  return {
    uid: '1',
    namespace: 'default',
    name: hostile,
    createdAtMs: 0,
    labels: {},
    requests: { pods: 1 },
    nodeAlternatives: [],
    tolerations: [],
    hostPorts: [],
    unsupported: [],
    priority: 0,
    isDaemon: false,
    isMirror: false,
    isTerminal: false,
    isTerminating: false,
    isUnschedulable: true,
    doNotDisrupt: false,
  };
}

const snapshot: Snapshot = {
  atMs: 0,
  pools: [],
  daemons: [],
  nodes: [
    {
      name: hostile,
      stage: 'initialized',
      labels: {},
      taints: [],
      allocatable: { cpu: 2000, memory: 2 ** 32, pods: 10 },
      capacity: {},
      pods: [hostilePod()],
      reservedFor: [],
      isReady: true,
      isLeaving: false,
      instanceType: hostile,
      zone: hostile,
      createdAtMs: 0,
      doNotDisrupt: false,
    },
  ],
};

describe.skipIf(chromiumPath === undefined)('hostile names (needs chromium on the PATH)', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await serve(
      {
        clock: createSystemClock(),
        clusterName: hostile,
        observation: {
          snapshot: () => snapshot,
          pending: () => [
            { pod: hostilePod(), refusal: { code: 'too-large', sentence: hostile, parts: [] } },
          ],
          subscribe: () => () => undefined,
        },
        decisions: {
          record: () => {
            throw new Error('nothing is recorded here');
          },
          since: () => [
            {
              id: 1,
              atMs: 0,
              code: 'PodRefused',
              subject: { kind: 'Pod', name: hostile },
              because: [],
              sentence: hostile,
            },
          ],
          subscribe: () => () => undefined,
        },
        metrics: () => '',
        isReady: () => true,
        files: readStaticFiles(fileURLToPath(new URL('../../dist/console', import.meta.url))),
      },
      { host: '127.0.0.1', port: 0 },
    );
  });
  afterAll(() => server?.close());

  test('are shown as text and run nothing', async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(server.url);
      await page.waitForSelector('.pending li');
      expect(await page.locator('.pending li').innerText()).toContain(hostile);
      expect(await page.locator('.decisions li').innerText()).toContain(hostile);
      expect(await page.locator('#app img, #app script').count()).toBe(0);
      expect(await page.title()).toBe('Karpenter');
    } finally {
      await browser.close();
    }
  });
});
