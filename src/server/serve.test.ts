import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anObservation } from '../../test/observation.ts';
import { aNode, aPod, aSnapshot } from '../../test/validator/builders.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import type { DecisionDraft } from '../core/explain/decision.ts';
import { GraphReader } from '../core/value-graph/read.ts';
import type { Clock } from '../ports/clock.ts';
import { createDecisionRecorder } from '../runtime/decision-recorder.ts';
import { type RunningServer, serve } from './serve.ts';

const time = createVirtualClock();
/** Time stands still, and nobody else wants a turn. */
const clock: Clock = {
  nowMs: () => time.nowMs(),
  schedule: (delayMs, callback) => time.schedule(delayMs, callback),
  breathe: async () => {},
};
const log = { debug() {}, info() {}, error() {}, with: () => log };
const draft: DecisionDraft = {
  code: 'PodRefused',
  subject: { kind: 'Pod', namespace: 'default', name: 'web' },
  because: [{ name: 'cpu', value: 500 }],
  sentence: 'No type is large enough.',
};

describe('the server', () => {
  let server: RunningServer;
  let isReady = false;
  const decisions = createDecisionRecorder({ clock, log, capacity: 10 });

  let snapshot = aSnapshot({});

  beforeEach(async () => {
    snapshot = aSnapshot({});
    server = await serve(
      {
        clock,
        clusterName: 'test',
        observation: anObservation({ snapshot: () => snapshot }),
        decisions,
        metrics: () => 'karpenter_up 1\n',
        isReady: () => isReady,
        files: new Map([['/index.html', { type: 'text/html', content: Buffer.from('<p>hello') }]]),
      },
      { host: '127.0.0.1', port: 0 },
    );
  });
  afterEach(() => server.close());

  const get = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(new URL(path, server.url), init);

  test('is alive at once and ready only when the controller is', async () => {
    expect((await get('healthz')).status).toBe(200);
    expect((await get('readyz')).status).toBe(503);
    isReady = true;
    expect((await get('readyz')).status).toBe(200);
  });

  test('gives metrics as they are', async () => {
    const answer = await get('metrics');
    expect(answer.headers.get('content-type')).toContain('version=0.0.4');
    expect(await answer.text()).toBe('karpenter_up 1\n');
  });

  test('gives decisions after an id', async () => {
    const { id } = decisions.record(draft);
    expect(await (await get(`api/decisions?since=${id - 1}`)).json()).toMatchObject([
      { id, code: 'PodRefused', atMs: clock.nowMs() },
    ]);
    expect(await (await get(`api/decisions?since=${id}`)).json()).toEqual([]);
  });

  test('serves only what was read at the start, under a policy that allows nothing foreign', async () => {
    const page = await get('');
    expect(await page.text()).toBe('<p>hello');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await get('..%2f..%2fpackage.json')).status).toBe(404);
  });

  test('refuses to change anything', async () => {
    expect((await get('api/view', { method: 'POST' })).status).toBe(405);
  });

  test('gives all that a plan would be asked, unless it does not know everything yet', async () => {
    isReady = false;
    expect((await get('api/snapshot')).status).toBe(503);
    isReady = true;
    const pods = Array.from({ length: 3_000 }, (_, index) => aPod({ name: `web-${index}` }));
    snapshot = aSnapshot({ nodes: [aNode({ pods })] });
    const reader = new GraphReader();
    reader.take(await (await get('api/snapshot')).text());
    expect(reader.value()).toEqual({ snapshot, pods: [], settings: {} });
    const head = await get('api/snapshot', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('gives it to eight at a time, and to the next one when somebody has it', async () => {
    const pods = Array.from({ length: 20_000 }, (_, index) =>
      aPod({ name: `web-${index}`, labels: { text: `${'x'.repeat(400)}-${index}` } }),
    );
    snapshot = aSnapshot({ nodes: [aNode({ pods })] });
    const readers = await Promise.all(Array.from({ length: 8 }, () => get('api/snapshot')));
    expect(readers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const ninth = await get('api/snapshot');
    expect([ninth.status, await ninth.text()]).toEqual([429, expect.stringContaining('try again')]);
    await readers[0]?.text();
    await expect.poll(async () => (await get('api/snapshot')).status).toBe(200);
  });

  /** Reads the stream up to each part that it is asked for; answers all that it has read. */
  async function startReading() {
    const reader = (await get('api/stream')).body?.getReader();
    let text = '';
    return {
      until: async (part: string): Promise<string> => {
        while (!text.includes(part)) {
          const { value, done } = (await reader?.read()) ?? { done: true };
          if (done) throw new Error('the stream has ended');
          text += new TextDecoder().decode(value);
        }
        return text;
      },
      stop: () => reader?.cancel(),
    };
  }

  test('streams the past, then the present', async () => {
    decisions.record(draft);
    const { until, stop } = await startReading();
    const past = await until('event: view');
    expect(past.indexOf('event: reset')).toBeLessThan(past.indexOf('event: decision'));
    const { id } = decisions.record({ ...draft, sentence: 'news' });
    expect(await until('news')).toContain(`"id":${id}`);
    await stop();
  });

  test('keeps a reader to whom the view of a large cluster is on its way', async () => {
    const pods = Array.from({ length: 40_000 }, (_, index) => aPod({ name: `web-${index}` }));
    snapshot = aSnapshot({ nodes: [aNode({ pods })] });
    const { until, stop } = await startReading();
    for (const sentence of ['news', 'more news']) decisions.record({ ...draft, sentence });
    await until('more news');
    await stop();
  });

  test('shows the present at once, however long the past is', async () => {
    decisions.record({ ...draft, sentence: 'x'.repeat(1024 * 1024) });
    const { until, stop } = await startReading();
    await until('event: view');
    await stop();
  });

  test('lets go of a reader that has stopped reading, and keeps nothing for it', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET /api/stream HTTP/1.1\r\nhost: test\r\n\r\n');
    await once(socket, 'readable');
    const sentence = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 40; count++) decisions.record({ ...draft, sentence });
    const closed = new Promise((resolve) => socket.on('close', () => resolve('closed')));
    socket.on('error', () => {});
    socket.resume();
    expect(await closed).toBe('closed');
  });
});
