import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../processes.ts';
import { type RunningStart, runStart } from '../start/running-start.ts';
import { chromiumPath, launchChromium } from './chromium.ts';

const pictures = 'test-results';

describe.skipIf(chromiumPath === undefined)(
  'the console through the story (needs chromium on the PATH)',
  () => {
    let start: RunningStart;
    let browser: Browser;
    let page: Page;
    const foreign: string[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      mkdirSync(pictures, { recursive: true });
      start = await runStart();
      browser = await launchChromium();
      page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.on('request', (request) => {
        if (!request.url().startsWith(start.consoleUrl)) foreign.push(request.url());
      });
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(start.consoleUrl);
    });
    afterAll(async () => {
      await browser?.close();
      await start?.process.end();
    });

    async function total(name: string): Promise<number> {
      const text = await page.locator('.totals > div', { hasText: name }).locator('dd').innerText();
      return Number(text.replace(/[^0-9.]/g, ''));
    }

    test('boxes, pods, prices and reasons appear, and the cluster is empty again at the end', async () => {
      await eventually(
        '200 story pods are placed',
        async () => (await total('pods placed')) >= 200,
        { seconds: 60, explain: start.process.output },
      );
      const nodes = page.locator('.node');
      expect(await nodes.count()).toBeGreaterThan(2);
      expect(await page.locator('.node.pool-1, .node.pool-0').count()).toBeGreaterThan(0);
      expect(await page.locator('.node .pod').count()).toBeGreaterThanOrEqual(200);
      expect(await page.locator('.node header').last().innerText()).toMatch(/\$\d/);
      expect(await total('per month')).toBeGreaterThan(0);
      expect(
        await page.locator('.decisions li', { hasText: 'NodeOrdered' }).count(),
      ).toBeGreaterThan(0);
      await page.screenshot({ path: `${pictures}/console-running.png` });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.screenshot({ path: `${pictures}/console-dark.png` });
      await page.emulateMedia({ colorScheme: 'light' });
      await eventually('the pods are gone', async () => (await total('nodes')) === 2, {
        seconds: 120,
        explain: start.process.output,
      });
      expect(await page.locator('.decisions li', { hasText: 'NodeEmpty' }).count()).toBeGreaterThan(
        0,
      );
      await page.screenshot({ path: `${pictures}/console-empty.png` });
    });

    test('it fits a screen of 390 pixels without scrolling sideways', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(390);
      await page.screenshot({ path: `${pictures}/console-phone.png`, fullPage: true });
    });

    test('it asks nobody else for anything and breaks no rule of its own policy', () => {
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    });
  },
);
