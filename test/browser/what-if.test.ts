import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Decision } from '../../src/core/explain/decision.ts';
import type { ClusterView } from '../../src/server/view.ts';
import { eventually, outcomeOf, runProgram } from '../processes.ts';
import { type RunningStart, runStart } from '../start/running-start.ts';
import { findTool } from '../tools.ts';
import { chromiumPath, launchChromium } from './chromium.ts';

const pictures = 'test-results';
const kubectlPath = findTool('KUBECTL', 'kubectl');

function deployment(wish: { name: string; replicas: number; cpu: string; spec?: string }): string {
  const { name, replicas, cpu, spec = '{}' } = wish;
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${replicas}
  selector:
    matchLabels: { app: ${name} }
  template:
    metadata:
      labels: { app: ${name} }
    spec:
      nodeSelector: ${spec}
      containers:
        - name: main
          image: nginx
          resources:
            requests: { cpu: ${cpu}, memory: 1Gi }
`;
}

describe.skipIf(chromiumPath === undefined || kubectlPath === undefined)(
  'what if, in the console (needs chromium and kubectl on the PATH)',
  () => {
    let start: RunningStart;
    let browser: Browser;
    let page: Page;
    const foreign: string[] = [];
    const complaints: string[] = [];

    const kubectl = (...args: string[]): Promise<string> =>
      runProgram([kubectlPath ?? '', ...args], start.env);

    /** Applies the text and waits until all of its pods run. */
    async function applyAndWait(text: string, name: string): Promise<void> {
      const applied = await outcomeOf([kubectlPath ?? '', 'apply', '-f', '-'], {
        env: start.env,
        stdin: text,
      });
      expect(applied).toMatchObject({ code: 0 });
      await kubectl('rollout', 'status', `deploy/${name}`, '--timeout=120s');
    }

    const get = async <T>(path: string): Promise<T> =>
      (await fetch(new URL(path, start.consoleUrl))).json() as Promise<T>;
    const viewNow = (): Promise<ClusterView> => get('api/view');

    beforeAll(async () => {
      mkdirSync(pictures, { recursive: true });
      start = await runStart('--no-story');
      browser = await launchChromium();
      page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.on('request', (request) => {
        if (!request.url().startsWith(start.consoleUrl)) foreign.push(request.url());
      });
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await eventually(
        'both pools are ready',
        async () => {
          const { pools } = await viewNow();
          return pools.length === 2 && pools.every(({ notReady }) => notReady === undefined);
        },
        { seconds: 60, explain: start.process.output },
      );
      await applyAndWait(deployment({ name: 'shop', replicas: 3, cpu: '1' }), 'shop');
      await page.goto(start.consoleUrl);
    });
    afterAll(async () => {
      await browser?.close();
      await start?.process.end();
    });

    /** Types the text, asks, and waits for what comes of it. */
    async function ask(text: string): Promise<void> {
      await page.getByLabel('… I applied this manifest?').fill(text);
      await page.getByRole('button', { name: 'Work it out' }).click();
      await page.locator('.outcome[aria-busy="false"] h3').waitFor();
    }

    async function tile(name: string): Promise<string> {
      const tiles = page.locator('.outcome .totals > div', { hasText: name });
      return tiles.locator('dd').innerText();
    }

    test('nothing of it is loaded before somebody asks', async () => {
      const loaded = await page.evaluate<string[]>(
        'performance.getEntriesByType("resource").map(({ name }) => name)',
      );
      expect(loaded.filter((name) => /panel|worker|snapshot/.test(name))).toEqual([]);
      await page.getByRole('button', { name: 'Ask about a manifest' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('textarea:focus').waitFor();
    });

    test('what it says of a manifest is what happens once it is applied', async () => {
      const text = deployment({ name: 'web', replicas: 14, cpu: '350m' });
      const before = await viewNow();
      await ask(text);
      await page.evaluate('document.querySelector("textarea").scrollTop = 0');
      await page.locator('#what-if').screenshot({ path: `${pictures}/what-if.png` });
      const here = Number(await tile('on nodes there'));
      expect(here).toBeGreaterThan(0);
      expect(here + Number(await tile('on new nodes'))).toBe(14);
      const said = await page.locator('.purchases li strong').allInnerTexts();
      const [hourly = '', then = ''] = (await tile('per hour'))
        .split(' → ')
        .map((one) => one.slice(1));
      expect(Number(hourly)).toBeCloseTo(before.totals.usdPerHour, 4);
      expect((await viewNow()).nodes.map(({ name }) => name)).toEqual(
        before.nodes.map(({ name }) => name),
      );

      const drawn = await page.locator('.outcome .pod').count();

      await applyAndWait(text, 'web');
      const after = await viewNow();
      await page
        .locator(`.left > section:first-child .node:nth-child(${after.nodes.length})`)
        .waitFor();
      expect(await page.locator('.outcome .pod').count()).toBe(drawn);
      const old = new Set(before.nodes.map(({ name }) => name));
      const onOld = after.nodes.filter(({ name }) => old.has(name)).flatMap(({ pods }) => pods);
      expect(onOld.filter(({ ownerName }) => ownerName === 'web')).toHaveLength(here);
      const news = after.nodes.filter(({ name }) => !old.has(name));
      const orders = await ordersOf(news.map(({ claimName = '' }) => claimName));
      // What the cloud gives may be another of the types that an order allows.
      expect(orders.map(({ instanceType }) => instanceType).sort()).toEqual(
        said.flatMap(each).sort(),
      );
      const bought = orders.reduce((sum, { priceUsdPerHour }) => sum + Number(priceUsdPerHour), 0);
      expect(before.totals.usdPerHour + bought).toBeCloseTo(Number(then), 4);
    });

    /** `2 × m6a.large` as two names. */
    function each(text: string): readonly string[] {
      const [count = '', type = ''] = text.split(' × ');
      return Array.from({ length: Number(count) }, () => type);
    }

    /** What was decided of each claim when it was ordered. */
    async function ordersOf(claims: readonly string[]) {
      const decisions = await get<readonly Decision[]>('api/decisions');
      return decisions
        .filter(({ code, subject }) => code === 'NodeOrdered' && claims.includes(subject.name))
        .map(({ because }) => Object.fromEntries(because.map(({ name, value }) => [name, value])));
    }

    test('what is there already is not counted again', async () => {
      await ask(deployment({ name: 'web', replicas: 16, cpu: '350m' }));
      expect(await page.locator('.outcome .notes').innerText()).toContain(
        'Deployment default/web has 14 such pods already; 2 more would come.',
      );
      expect(Number(await tile('on nodes there')) + Number(await tile('on new nodes'))).toBe(2);
    });

    test('a pod that finds no place says why, and what would help', async () => {
      await ask(deployment({ name: 'huge', replicas: 2, cpu: '500' }));
      expect(await tile('without a place')).toBe('2');
      const refused = page.locator('.outcome .refused');
      expect(await refused.innerText()).toContain('the pod asks for 500 cores');
      expect(await refused.innerText()).toContain('It would help to');
      await refused.locator('summary').click();
      expect(await refused.locator('table').count()).toBeGreaterThan(0);
      await page.screenshot({ path: `${pictures}/what-if-refused.png`, fullPage: true });
    });

    test('what cannot be read is told by line, and nothing is worked out', async () => {
      await ask(`${deployment({ name: 'a', replicas: 1, cpu: '1' })}---\nkind: [Pod`);
      expect(await page.locator('.problem').innerText()).toMatch(/^line 20 This cannot be read/);
      await ask(deployment({ name: 'a', replicas: 1, cpu: 'lots' }).replace('image:', 'imag:'));
      const problems = await page.locator('.problem').allInnerTexts();
      expect(problems[0]).toMatch(/^line 16 .*imag is no field.*write image/);
      expect(problems[1]).toMatch(/^line 18 .*must be a quantity such as 500m or 2Gi, not "lots"/);
      await page.screenshot({ path: `${pictures}/what-if-problems.png`, fullPage: true });
    });

    test('a node that went is asked about from its box, with the keyboard', async () => {
      const { nodes } = await viewNow();
      const node = nodes.find(({ poolName }) => poolName !== undefined);
      const button = page.getByRole('button', { name: `What if ${node?.name} went?` });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `If ${node?.name} went` }).waitFor();
      const moving = node?.pods.filter(({ isDaemon }) => !isDaemon).length ?? 0;
      const placed = Number(await tile('on nodes there')) + Number(await tile('on new nodes'));
      expect(placed + Number(await tile('without a place'))).toBe(moving);
      expect(await page.locator('.outcome .notes').innerText()).toContain('2 daemons of the node');
      await page.screenshot({ path: `${pictures}/what-if-node.png`, fullPage: true });
    });

    test('hostile text is shown as text', async () => {
      const hostile = '<img src=x onerror="document.title=1">';
      await ask(`apiVersion: v1\nkind: '${hostile}'\nmetadata: { name: '${hostile}' }\n`);
      expect(await page.locator('.outcome .notes').innerText()).toContain(hostile);
      expect(await page.locator('#app img').count()).toBe(0);
      expect(await page.title()).toBe('Karpenter');
    });

    test('it fits a screen of 390 pixels, and the dark', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await ask(deployment({ name: 'phone', replicas: 9, cpu: '700m' }));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(390);
      await page.locator('#what-if').screenshot({ path: `${pictures}/what-if-phone.png` });
    });

    test('it asks nobody else for anything and breaks no rule of its own policy', () => {
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    });

    test('an answer that is none is said to be so, no worker stays behind, and the next one counts', async () => {
      await page.route('**/api/snapshot', (route) =>
        route.fulfill({ body: 'a page of a proxy\n' }),
      );
      await page.getByRole('button', { name: 'Work it out' }).click();
      await page.getByText('This could not be worked out').waitFor();
      await eventually('no worker is left', async () => page.workers().length === 0, {
        seconds: 10,
      });
      await page.unroute('**/api/snapshot');
      await ask(deployment({ name: 'again', replicas: 1, cpu: '100m' }));
      expect(page.workers()).toHaveLength(1);
    });

    test('a controller that is gone is said to be so', async () => {
      await start.process.end();
      await page.getByRole('button', { name: 'Work it out' }).click();
      await page.getByText('The controller could not be reached.').waitFor();
    });
  },
);
