import { describe, expect, test } from 'vitest';
import { leases, nodes, pods } from '../../api/kubernetes/core.ts';
import type { HttpRequest, HttpResponse } from '../../ports/http.ts';
import { createVirtualClock, type VirtualClock } from '../system/virtual-clock.ts';
import { createKubeClient, type KubeClientOptions } from './client.ts';

type Answer = HttpResponse | Error;

/** A client whose server gives these answers, the last one again and again. */
function clientOf(answers: readonly Answer[], options: Partial<KubeClientOptions> = {}) {
  const clock = createVirtualClock(0);
  const requests: (HttpRequest & { readonly atMs: number })[] = [];
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push({ ...request, atMs: clock.nowMs() });
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
  return { clock, requests, client: createKubeClient({ send, clock, ...options }) };
}

/** The outcome of the work, with as much time as it takes. */
async function settle<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  const settled = work.then(
    (value) => () => value,
    (error) => () => {
      throw error;
    },
  );
  let outcome: (() => T) | undefined;
  void settled.then((done) => {
    outcome = done;
  });
  await clock.runUntil(() => outcome !== undefined, 600_000);
  return (await settled)();
}

function ok(body: object): HttpResponse {
  return { status: 200, headers: {}, body: JSON.stringify(body) };
}

function refusal(
  status: number,
  reason: string,
  headers: Record<string, string> = {},
): HttpResponse {
  const body = {
    kind: 'Status',
    status: 'Failure',
    code: status,
    reason,
    message: `it is ${reason}`,
  };
  return { status, headers, body: JSON.stringify(body) };
}

function socketError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

const node = { metadata: { name: 'one', resourceVersion: '1' } };

describe('repeating', () => {
  test('a read survives lost connections, with growing delays', async () => {
    const lost = socketError('ECONNRESET');
    const { client, clock, requests } = clientOf([lost, lost, lost, ok(node)]);
    const found = await settle(clock, client.get(nodes, { name: 'one' }));
    expect(found).toEqual({ ...node, apiVersion: 'v1', kind: 'Node' });
    expect(requests.map(({ atMs }) => atMs)).toEqual([0, 200, 600, 1_400]);
  });

  test('a read that never gets through is unreachable and says what it was', async () => {
    const { client, clock, requests } = clientOf([socketError('ECONNRESET')]);
    const reading = settle(clock, client.list(pods));
    await expect(reading).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'listing pods: connect ECONNRESET',
    });
    expect(requests).toHaveLength(5);
  });

  test('a write that may have arrived is never repeated', async () => {
    const { client, clock, requests } = clientOf([socketError('ECONNRESET'), ok(node)]);
    const creating = settle(clock, client.create(nodes, { metadata: { name: 'one' } }));
    await expect(creating).rejects.toMatchObject({ kind: 'unreachable' });
    expect(requests).toHaveLength(1);
  });

  test('a write that was never sent is repeated', async () => {
    const { client, clock, requests } = clientOf([socketError('ECONNREFUSED'), ok(node)]);
    await settle(clock, client.create(nodes, { metadata: { name: 'one' } }));
    expect(requests).toHaveLength(2);
  });

  test('a throttled write waits as long as the server asks', async () => {
    const throttled = refusal(429, 'TooManyRequests', { 'retry-after': '3' });
    const { client, clock, requests } = clientOf([throttled, ok(node)]);
    await settle(clock, client.create(nodes, { metadata: { name: 'one' } }));
    expect(requests.map(({ atMs }) => atMs)).toEqual([0, 3_000]);
  });

  test('a refused eviction is the answer and is not repeated', async () => {
    const refused = refusal(429, 'TooManyRequests', { 'retry-after': '10' });
    const { client, clock, requests } = clientOf([refused]);
    const evicting = settle(clock, client.evict({ name: 'p', namespace: 'n' }));
    await expect(evicting).rejects.toMatchObject({
      kind: 'too-many-requests',
      retryAfterMs: 10_000,
      message: 'evicting pods n/p: it is TooManyRequests',
    });
    expect(requests).toHaveLength(1);
  });

  test('a server that does not answer is unreachable after a minute', async () => {
    const clock = createVirtualClock(0);
    const send = (request: HttpRequest): Promise<HttpResponse> =>
      new Promise((_, reject) => {
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
      });
    const client = createKubeClient({ send, clock });
    const creating = settle(clock, client.create(nodes, { metadata: { name: 'one' } }));
    await expect(creating).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'creating nodes one: no answer within 60 s',
    });
    expect(clock.nowMs()).toBe(60_000);
  });
});

describe('errors', () => {
  test.each([
    { status: 400, reason: 'BadRequest', kind: 'invalid' },
    { status: 401, reason: 'Unauthorized', kind: 'unauthorized' },
    { status: 403, reason: 'Forbidden', kind: 'forbidden' },
    { status: 404, reason: 'NotFound', kind: 'not-found' },
    { status: 409, reason: 'AlreadyExists', kind: 'already-exists' },
    { status: 409, reason: 'Conflict', kind: 'conflict' },
    { status: 410, reason: 'Expired', kind: 'gone' },
    { status: 410, reason: 'Gone', kind: 'gone' },
    { status: 422, reason: 'Invalid', kind: 'invalid' },
    { status: 429, reason: 'TooManyRequests', kind: 'too-many-requests' },
    { status: 500, reason: 'InternalError', kind: 'server-error' },
    { status: 504, reason: 'Timeout', kind: 'server-error' },
    { status: 409, reason: 'SomethingNew', kind: 'conflict' },
    { status: 599, reason: 'SomethingNew', kind: 'server-error' },
  ])('$status $reason is $kind', async ({ status, reason, kind }) => {
    const { client, clock } = clientOf([refusal(status, reason)]);
    const patching = client.patch(nodes, { name: 'one' }, { type: 'merge', body: {} });
    await expect(settle(clock, patching)).rejects.toMatchObject({
      kind,
      status,
      message: `patching nodes one: it is ${reason}`,
    });
  });

  test('an answer that is no JSON shows how it begins', async () => {
    const page = { status: 200, headers: {}, body: '<html>proxy</html>' };
    const { client, clock } = clientOf([page]);
    const getting = settle(clock, client.get(nodes, { name: 'one' }));
    await expect(getting).rejects.toMatchObject({
      kind: 'server-error',
      message: 'getting nodes one: the answer is no JSON: <html>proxy</html>',
    });
  });
});

describe('listing', () => {
  test('pages follow each other by their token', async () => {
    const { client, clock, requests } = clientOf([
      ok({ metadata: { resourceVersion: '7', continue: 'next' }, items: [node] }),
      ok({ metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'two' } }] }),
    ]);
    const list = await settle(clock, client.list(nodes, { labelSelector: 'a=b' }));
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['one', 'two']);
    expect(requests.map(({ path }) => path)).toEqual([
      '/api/v1/nodes?labelSelector=a%3Db&limit=500',
      '/api/v1/nodes?labelSelector=a%3Db&limit=500&continue=next',
    ]);
  });

  test('a list that grew too old half-way starts anew and holds nothing twice', async () => {
    const { client, clock } = clientOf([
      ok({ metadata: { resourceVersion: '7', continue: 'next' }, items: [node] }),
      refusal(410, 'Expired'),
      ok({ metadata: { resourceVersion: '9' }, items: [node] }),
    ]);
    const list = await settle(clock, client.list(nodes));
    expect([list.items.length, list.resourceVersion]).toEqual([1, '9']);
  });

  test('a list that grows too old again and again is asked for in one piece', async () => {
    const half = ok({ metadata: { resourceVersion: '7', continue: 'next' }, items: [node] });
    const old = refusal(410, 'Expired');
    const whole = ok({ metadata: { resourceVersion: '9' }, items: [node] });
    const { client, clock, requests } = clientOf([half, old, half, old, half, old, whole]);
    expect((await settle(clock, client.list(nodes))).items).toHaveLength(1);
    expect(requests.at(-1)?.path).toBe('/api/v1/nodes');
  });

  test('a list that nobody waits for any more ends with its page, its pause or its request', async () => {
    const endless = ok({ metadata: { resourceVersion: '7', continue: 'next' }, items: [node] });
    for (const answer of [endless, refusal(503, 'ServiceUnavailable'), socketError('ECONNRESET')]) {
      const { client, clock, requests } = clientOf([answer]);
      const stop = new AbortController();
      const listing = client.list(nodes, { signal: stop.signal }, (item) => {
        if (requests.length === 3) stop.abort(new Error('told to stop'));
        return item;
      });
      clock.schedule(300, () => stop.abort(new Error('told to stop')));
      await expect(settle(clock, listing)).rejects.toMatchObject({
        kind: 'unreachable',
        message: 'listing nodes: told to stop',
      });
      expect(requests.length).toBeLessThanOrEqual(3);
      expect(clock.nowMs()).toBeLessThanOrEqual(300);
    }
  });

  test('a request that hangs is given up with its list', async () => {
    const clock = createVirtualClock(0);
    const send = ({ signal }: HttpRequest) =>
      new Promise<HttpResponse>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
    const stop = new AbortController();
    const listing = createKubeClient({ send, clock }).list(nodes, { signal: stop.signal });
    clock.schedule(5, () => stop.abort(new Error('told to stop')));
    await expect(settle(clock, listing)).rejects.toMatchObject({ kind: 'unreachable' });
    expect(clock.nowMs()).toBe(5);
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe('watching', () => {
  const options = { resourceVersion: '5' };
  const signal = new AbortController().signal;
  const added = JSON.stringify({ type: 'ADDED', object: node });

  async function watch(body: AsyncIterable<string>) {
    const { client, clock, requests } = clientOf([{ status: 200, headers: {}, body }]);
    const seen: unknown[] = [];
    const watching = (async () => {
      for await (const event of client.watch(nodes, options, signal)) seen.push(event);
    })();
    return { seen, requests, ended: settle(clock, watching) };
  }

  test('asks for bookmarks, from the version, for a bounded time', async () => {
    const { requests, ended } = await watch(pieces([]));
    await ended;
    expect(requests[0]?.path).toBe(
      '/api/v1/nodes?watch=true&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=450',
    );
  });

  test('events may be cut anywhere and may come many at once', async () => {
    const bookmark = '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}';
    const text = `${added}\n${added}\n${bookmark}\n`;
    for (const size of [1, 7, 1_000]) {
      const { seen, ended } = await watch(
        pieces(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []),
      );
      await ended;
      const object = { ...node, apiVersion: 'v1', kind: 'Node' };
      const event = { type: 'ADDED', object };
      expect(seen).toEqual([event, event, { type: 'BOOKMARK', resourceVersion: '9' }]);
    }
  });

  test('an error event with code 410 is gone', async () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
    const { ended } = await watch(
      pieces([`${JSON.stringify({ type: 'ERROR', object: status })}\n`]),
    );
    await expect(ended).rejects.toMatchObject({ kind: 'gone', message: 'watching nodes: too old' });
  });

  test('a connection that breaks is unreachable, even in the middle of an event', async () => {
    const broken = async function* () {
      yield `${added}\n{"type":"ADD`;
      throw socketError('ECONNRESET');
    };
    const first = await watch(broken());
    await expect(first.ended).rejects.toMatchObject({ kind: 'unreachable' });
    expect(first.seen).toHaveLength(1);
    const second = await watch(pieces(['{"type":"ADD']));
    await expect(second.ended).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

describe('the rate limit', () => {
  test('lets a burst pass and then keeps the rate, in order, while leases go ahead', async () => {
    const rateLimit = { requestsPerSecond: 10, burst: 3 };
    const { client, clock, requests } = clientOf([ok(node)], { rateLimit });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const all = names.map((name) => client.get(nodes, { name }));
    const lease = client.get(leases, { name: 'lease', namespace: 'n' });
    await settle(clock, Promise.all([...all, lease]));
    const byTime = requests.map(({ path, atMs }) => `${path.split('/').at(-1)}@${atMs}`);
    expect(byTime.sort()).toEqual(['a@0', 'b@0', 'c@0', 'd@100', 'e@200', 'lease@0']);
  });
});

async function* pieces(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}
