import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import type { Refusal } from '../../src/core/explain/reason.ts';
import { type RunningServer, serve } from '../../src/server/serve.ts';
import { readStaticFiles } from '../../src/server/static-files.ts';
import { anObservation } from '../observation.ts';
import { aNode, aPod, aSnapshot } from '../validator/builders.ts';
import { chromiumPath, launchChromium } from './chromium.ts';

const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

const pod = aPod({ name: hostile });
const node = aNode({ name: hostile, pods: [pod], instanceType: hostile, zone: hostile });
const snapshot = aSnapshot({ nodes: [node] });
const refusal: Refusal = {
  code: 'too-large',
  sentence: hostile,
  parts: [
    {
      subject: { kind: 'NodePool', name: hostile },
      code: 'too-large',
      sentence: hostile,
      funnel: {
        of: 'instance types',
        considered: 7,
        steps: [{ constraint: 'size', key: hostile, removed: 7, left: 0 }],
        nearest: { name: hostile, lacks: [hostile] },
      },
    },
  ],
  remedies: [{ sentence: hostile, changes: [] }],
};

describe.skipIf(chromiumPath === undefined)('hostile names (needs chromium on the PATH)', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await serve(
      {
        clock: createSystemClock(),
        clusterName: hostile,
        observation: anObservation({ snapshot: () => snapshot, pending: [{ pod, refusal }] }),
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
      expect(await page.locator('.pending .remedy').innerText()).toContain(hostile);
      await page.locator('.pending summary').click();
      const funnel = await page.locator('.pending .reasons').innerText();
      expect(funnel).toContain(`NodePool ${hostile}: 7 instance types`);
      expect(funnel).toContain(`size: ${hostile}`);
      expect(await page.locator('.decisions li').innerText()).toContain(hostile);
      expect(await page.locator('#app img, #app script').count()).toBe(0);
      expect(await page.title()).toBe('Karpenter');
    } finally {
      await browser.close();
    }
  });
});
