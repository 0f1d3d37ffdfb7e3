import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { HttpHandler, HttpRequest } from '../ports/http.ts';
import { type ServedHttp, serveHttp } from './serve-http.ts';

const open: ServedHttp[] = [];

afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

async function serve(handle: HttpHandler): Promise<ServedHttp> {
  const served = await serveHttp({ handle });
  open.push(served);
  return served;
}

/** A body that never ends by itself, and that tells when its reader has gone. */
function endless(signal: AbortSignal | undefined): AsyncIterable<string> {
  return {
    async *[Symbol.asyncIterator]() {
      yield 'first\n';
      await new Promise<void>((resolve) => {
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    },
  };
}

describe('a handler served over HTTP', () => {
  test('gets method, path with query, lower-case headers and the body as text', async () => {
    const seen: HttpRequest[] = [];
    const { url } = await serve(async (request) => {
      seen.push(request);
      return { status: 201, headers: { 'x-answer': 'yes' }, body: 'made' };
    });
    const response = await fetch(`${url}/a/b?c=%20d`, {
      method: 'POST',
      headers: { 'X-Asked': 'Yes', 'content-type': 'application/json' },
      body: '{"ü":1}',
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-answer')).toBe('yes');
    expect(await response.text()).toBe('made');
    expect(seen[0]).toMatchObject({ method: 'POST', path: '/a/b?c=%20d', body: '{"ü":1}' });
    expect(seen[0]?.headers['x-asked']).toBe('Yes');
  });

  test('gets bytes that are not text as bytes', async () => {
    let body: HttpRequest['body'];
    const { url } = await serve(async (request) => {
      body = request.body;
      return { status: 204, headers: {}, body: '' };
    });
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    await fetch(url, { method: 'POST', headers, body: new Uint8Array([0, 255, 128]) });
    expect(body).toBeInstanceOf(Uint8Array);
    expect([...(body as Uint8Array)]).toEqual([0, 255, 128]);
  });

  test('streams pieces as they come and learns when the client leaves', async () => {
    let signal: AbortSignal | undefined;
    const { url } = await serve(async (request) => {
      signal = request.signal;
      return { status: 200, headers: {}, body: endless(request.signal) };
    });
    const leave = new AbortController();
    const response = await fetch(url, { signal: leave.signal });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first\n');
    expect(signal?.aborted).toBe(false);
    const left = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    leave.abort();
    await left;
    expect(signal?.aborted).toBe(true);
  });

  test('closing ends streams properly and frees the port', async () => {
    const served = await serveHttp({
      handle: async ({ signal }) => ({ status: 200, headers: {}, body: endless(signal) }),
    });
    const response = await fetch(served.url);
    await served.close();
    expect(await response.text()).toBe('first\n');
    await expect(fetch(served.url)).rejects.toThrow();
  });

  test('a handler without an answer breaks the connection', async () => {
    const { url, port } = await serve(async () => {
      throw new Error('no answer');
    });
    await expect(fetch(url)).rejects.toThrow();
    // The server itself lives on.
    await new Promise<void>((resolve) =>
      connect(port, '127.0.0.1', resolve).once('close', resolve).end(),
    );
  });

  test('a port that is taken is refused', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address();
        resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
      });
    });
    const handle: HttpHandler = async () => ({ status: 200, headers: {}, body: '' });
    await expect(serveHttp({ handle, port })).rejects.toThrow('EADDRINUSE');
    taken.close();
  });
});
