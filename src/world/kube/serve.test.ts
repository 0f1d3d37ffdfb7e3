import { X509Certificate } from 'node:crypto';
import { connect as connectHttp2, constants } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createSystemClock } from '../../adapters/system/system-clock.ts';
import type { HttpRequest } from '../../ports/http.ts';
import { type ServedKube, serveKube } from './serve.ts';

// Certificates are checked against today by the TLS library.
const nowMs = Math.floor(createSystemClock().nowMs() / 1_000) * 1_000;
const token = 'let-me-in';
let served: ServedKube;
let lastRequest: HttpRequest | undefined;

beforeAll(async () => {
  served = await serveKube({
    nowMs,
    bearerTokens: [token],
    handle: async (request) => {
      lastRequest = request;
      const headers = { 'content-type': 'application/json' };
      if (!request.path.includes('watch=1')) return { status: 200, headers, body: '{"ok":true}' };
      return { status: 200, headers, body: pieces(request.signal) };
    },
  });
});

afterAll(() => served.close());

async function* pieces(signal: AbortSignal | undefined): AsyncGenerator<string> {
  yield 'one\n';
  await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
}

interface Credentials {
  readonly cert?: string;
  readonly key?: string;
}

function fromKubeconfig(): Required<Credentials> {
  const { user } = parse(served.kubeconfig).users[0];
  const decode = (text: string): string => Buffer.from(text, 'base64').toString();
  return {
    cert: decode(user['client-certificate-data']),
    key: decode(user['client-key-data']),
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function get(path: string, credentials: Credentials, headers = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      ca: served.caPem,
      ...credentials,
      headers,
    };
    const sent = requestHttps(`${served.url}${path}`, options, (response) => {
      let body = '';
      response.on('data', (piece) => {
        body += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('who is let in', () => {
  test('the holder of the kubeconfig', async () => {
    const credentials = fromKubeconfig();
    expect(await get('/api/v1/pods?limit=1', credentials)).toEqual({
      status: 200,
      body: '{"ok":true}',
    });
    expect(lastRequest).toMatchObject({ method: 'GET', path: '/api/v1/pods?limit=1' });
  });

  test('the holder of a token', async () => {
    expect((await get('/api', {}, { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  test.each(['/healthz', '/readyz', '/livez/ping', '/version'])('anybody at %s', async (path) => {
    expect((await get(path, {})).status).toBe(200);
  });

  test.each([
    { name: 'nobody else', path: '/api', headers: {} },
    { name: 'not a wrong token', path: '/api', headers: { authorization: 'Bearer nope' } },
    { name: 'not by a path that only begins alike', path: '/versions', headers: {} },
  ])('$name', async ({ path, headers }) => {
    const { status, body } = await get(path, {}, headers);
    expect(status).toBe(401);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', reason: 'Unauthorized', code: 401 });
  });
});

describe('certificates', () => {
  test('are signed by the authority, valid from an hour before for a year', () => {
    const authority = new X509Certificate(served.caPem);
    const client = new X509Certificate(fromKubeconfig().cert);
    expect(client.verify(authority.publicKey)).toBe(true);
    expect(client.subject).toContain('O=system:masters');
    expect(Date.parse(client.validFrom)).toBe(nowMs - 3_600_000);
    expect(Date.parse(client.validTo)).toBe(nowMs + 365 * 86_400_000);
    expect(authority.ca).toBe(true);
  });

  test('the kubeconfig names the server and its authority', () => {
    const { cluster } = parse(served.kubeconfig).clusters[0];
    expect(cluster.server).toBe(served.url);
    expect(Buffer.from(cluster['certificate-authority-data'], 'base64').toString()).toBe(
      served.caPem,
    );
  });
});

test('a watch over HTTP/2 streams, and ends well when the server closes', async () => {
  const other = await serveKube({
    nowMs,
    bearerTokens: [token],
    handle: async ({ signal }) => ({ status: 200, headers: {}, body: pieces(signal) }),
  });
  const session = connectHttp2(other.url, { ca: other.caPem });
  const stream = session.request({
    [constants.HTTP2_HEADER_PATH]: '/api/v1/pods?watch=1',
    authorization: `Bearer ${token}`,
  });
  let received = '';
  stream.setEncoding('utf8');
  const ended = new Promise<void>((resolve) => stream.once('end', resolve));
  await new Promise<void>((resolve) => {
    stream.on('data', (piece: string) => {
      received += piece;
      resolve();
    });
  });
  await other.close();
  await ended;
  expect(received).toBe('one\n');
  expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  session.destroy();
});

test('a client that leaves a watch over HTTP/2 aborts the request', async () => {
  let signal: AbortSignal | undefined;
  const other = await serveKube({
    nowMs,
    bearerTokens: [token],
    handle: async (request) => {
      signal = request.signal;
      return { status: 200, headers: {}, body: pieces(request.signal) };
    },
  });
  const session = connectHttp2(other.url, { ca: other.caPem });
  const stream = session.request({ ':path': '/watch', authorization: `Bearer ${token}` });
  await new Promise<void>((resolve) => stream.once('data', () => resolve()));
  const left = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
  stream.close(constants.NGHTTP2_CANCEL);
  await left;
  session.destroy();
  await other.close();
});
