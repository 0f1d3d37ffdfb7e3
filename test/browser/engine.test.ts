import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { typesFrom } from '../../bench/workloads/types.mjs';
import { generate } from '../../bench/workloads.mjs';
import { fewEc2Types } from '../judges/agreement-cases.ts';
import { chromiumPath, launchChromium } from './chromium.ts';
import { planText } from './engine-entry.ts';

/** One script for a page, with nothing of Node in it. */
async function bundled(): Promise<string> {
  const input = fileURLToPath(new URL('engine-entry.ts', import.meta.url));
  const output = { format: 'iife', name: 'engine' } as const;
  const built = await build({ input, platform: 'browser', write: false, output });
  return built.output[0].code;
}

describe.skipIf(chromiumPath === undefined)(
  'the engine in a page (needs chromium on the PATH)',
  () => {
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      browser = await launchChromium();
      page = await browser.newPage();
      await page.addScriptTag({ content: await bundled() });
    });
    afterAll(async () => {
      await browser?.close();
    });

    test.each(['web', 'diverse', 'preferences', 'constrained', 'stateful'])(
      'plans %s as it does in Node, to the byte',
      async (family) => {
        const raw = fewEc2Types();
        const scenario = JSON.stringify(
          generate({ family, pods: 300, seed: 7, types: typesFrom(raw) }),
        );
        const types = JSON.stringify(raw);
        const call = `engine.planText(${JSON.stringify(scenario)}, ${JSON.stringify(types)})`;
        const here = planText(scenario, types);
        expect(JSON.parse(here)).toMatchObject({ undecided: 0 });
        expect(await page.evaluate<string>(call)).toBe(here);
      },
    );
  },
);
