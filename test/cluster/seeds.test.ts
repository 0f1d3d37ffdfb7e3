import { afterAll, beforeAll } from 'vitest';
import { customResourceDefinitions } from '../../src/api/crds.ts';
import type { HttpHandler } from '../../src/ports/http.ts';
import { readBody } from '../../src/ports/http.ts';
import { type ApiServer, startRealApiServer } from '../judges/crds/api-server.ts';
import { originalDefinitions } from '../judges/crds/original.ts';
import { seedsSuite } from '../seeds/suite.ts';

let ours: ApiServer;
let original: ApiServer;

beforeAll(async () => {
  [ours, original] = await Promise.all([
    startRealApiServer(customResourceDefinitions()),
    startRealApiServer(originalDefinitions()),
  ]);
  for (const { handle } of [ours, original]) await allowPods(handle);
});
afterAll(async () => {
  await Promise.all([ours?.stop(), original?.stop()]);
});

seedsSuite('before a real API server with our definitions', () => ours.handle);
seedsSuite('before a real API server with those of the original', () => original.handle);

/** Pods need an account, which a controller makes elsewhere. */
async function allowPods(handle: HttpHandler): Promise<void> {
  const response = await handle({
    method: 'POST',
    path: '/api/v1/namespaces/default/serviceaccounts',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ metadata: { name: 'default' } }),
  });
  await readBody(response);
}
