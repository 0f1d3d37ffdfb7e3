import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';
import type { Clock } from '../../ports/clock.ts';
import type { HttpHandler, HttpRequest, HttpResponse } from '../../ports/http.ts';
import type { KubeConnection } from './connection.ts';
import { createCredentialSource, type RequestCredentials } from './credential-source.ts';
import { openTunnel } from './proxy.ts';

export type Transport = HttpHandler & {
  /** Ends all connections, open watches included. */
  close(): void;
};

/** Connections kept for ordinary calls; watches have one each. */
const pooledConnections = 32;
/** A peer that vanished without a word is noticed by TCP after about a minute and a half. */
const keepAliveMs = 30_000;

/**
 * HTTP/1.1 to one API server over kept-alive connections. Rejects with the socket's own error
 * when there is no answer. Credentials that the server refuses are obtained anew, once a request.
 */
export function createTransport(connection: KubeConnection, clock: Clock): Transport {
  const source = createCredentialSource(connection.credentials, clock);
  const base = new URL(connection.server);
  const open = new Set<http.ClientRequest>();
  let pool = openPool(connection, {});

  /** Plugins may hand out a new certificate; connections made with the old one are of no use. */
  function poolFor(credentials: RequestCredentials): Pool {
    if (pool.certificate !== credentials.clientCertificate) {
      retire(pool.calls);
      pool = openPool(connection, credentials);
    }
    return pool;
  }

  async function send(request: HttpRequest, attempt = 1): Promise<HttpResponse> {
    const credentials = await source.get();
    const agents = poolFor(credentials);
    const response = await exchange(request, {
      base,
      agent: isWatch(request) ? agents.watches : agents.calls,
      authorization: credentials.authorization,
      open,
    });
    // Refused before anything was done, so that even a write may be sent again.
    if (response.status === 401 && attempt === 1 && source.invalidate()) return send(request, 2);
    return response;
  }

  const close = (): void => {
    for (const request of open) request.destroy(new Error('the transport was closed'));
    pool.calls.destroy();
    pool.watches.destroy();
  };
  return Object.assign((request: HttpRequest) => send(request), { close });
}

/** Idle connections end now, busy ones after their answer. */
function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

interface Pool {
  readonly calls: http.Agent;
  readonly watches: http.Agent;
  readonly certificate: string | undefined;
}

function openPool(connection: KubeConnection, credentials: RequestCredentials): Pool {
  const { clientCertificate: certificate, clientKey } = credentials;
  const secure: https.AgentOptions = {
    ca: connection.certificateAuthority,
    cert: certificate,
    key: clientKey,
    rejectUnauthorized: connection.isTlsVerificationOff !== true,
    ...(connection.tlsServerName === undefined ? {} : { servername: connection.tlsServerName }),
  };
  const open = (options: https.AgentOptions): http.Agent => {
    if (new URL(connection.server).protocol === 'http:') return new http.Agent(options);
    const agent = new https.Agent({ ...secure, ...options });
    return connection.proxyUrl === undefined ? agent : tunnelled(agent, connection.proxyUrl);
  };
  const keepAlive = { keepAlive: true, keepAliveMsecs: keepAliveMs };
  return {
    calls: open({ ...keepAlive, maxSockets: pooledConnections, scheduling: 'lifo' }),
    watches: open({ keepAlive: false }),
    certificate,
  };
}

/** The same agent with every connection led through the proxy. */
function tunnelled<A extends http.Agent>(agent: A, proxyUrl: string): A {
  const createConnection = (
    options: tls.ConnectionOptions,
    callback: (error: Error | null, socket?: tls.TLSSocket) => void,
  ): void => {
    const target = `${options.host ?? ''}:${options.port ?? 443}`;
    openTunnel(proxyUrl, target).then(
      (socket) => callback(null, tls.connect({ ...options, socket })),
      (error: Error) => callback(error),
    );
  };
  return Object.assign(agent, { createConnection });
}

interface Exchange {
  readonly base: URL;
  readonly agent: http.Agent;
  readonly authorization: string | undefined;
  /** Requests that are under way, their answers included. */
  readonly open: Set<http.ClientRequest>;
}

/** Sends the request and resolves with its answer; a watch's answer as soon as it has begun. */
function exchange(request: HttpRequest, via: Exchange): Promise<HttpResponse> {
  const { base, agent, authorization } = via;
  const start = base.protocol === 'http:' ? http.request : https.request;
  const prefix = base.pathname.replace(/\/$/, '');
  const { body } = request;
  const { host: _, ...headers } = request.headers;
  const options: https.RequestOptions = {
    protocol: base.protocol,
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port || (base.protocol === 'http:' ? 80 : 443),
    method: request.method,
    path: prefix + request.path,
    headers: {
      ...headers,
      ...(authorization === undefined ? {} : { authorization }),
      // Node frames the body of a DELETE only if it is told the length.
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    agent,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = start(options, (incoming) => {
      incoming.setEncoding('utf8');
      const head = { status: incoming.statusCode ?? 0, headers: plainHeaders(incoming.headers) };
      if (isWatch(request)) resolve({ ...head, body: incoming });
      else readAll(incoming).then((text) => resolve({ ...head, body: text }), reject);
    });
    // Errors after the answer has begun also reach whoever reads it; here they change nothing.
    outgoing.on('error', reject);
    via.open.add(outgoing);
    outgoing.on('close', () => via.open.delete(outgoing));
    outgoing.on('socket', (socket) => socket.setKeepAlive(true, keepAliveMs));
    outgoing.end(body);
  });
}

async function readAll(incoming: http.IncomingMessage): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of incoming) pieces.push(piece as string);
  return pieces.join('');
}

function isWatch(request: HttpRequest): boolean {
  return /[?&]watch=(true|1)(&|$)/.test(request.path);
}

function plainHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}
