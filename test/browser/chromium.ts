import { type Browser, chromium } from 'playwright-core';
import { findTool } from '../tools.ts';

export const chromiumPath = findTool('CHROMIUM', 'chromium');

/** A headless browser that talks to nobody but the pages it is given. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
