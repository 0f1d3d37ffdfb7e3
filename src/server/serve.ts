import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { Clock } from '../ports/clock.ts';
import type { Observation } from '../ports/observation.ts';
import type { DecisionRecorder } from '../ports/recorder.ts';
import { sendQuestion } from './question.ts';
import type { StaticFile } from './static-files.ts';
import { streamTo } from './stream.ts';
import { viewOf } from './view.ts';

/** What the server shows; it decides nothing and changes nothing. */
export interface ServerSources {
  readonly clock: Clock;
  readonly clusterName: string;
  readonly observation: Observation;
  readonly decisions: DecisionRecorder;
  /** Prometheus text. */
  readonly metrics: () => string;
  readonly isReady: () => boolean;
  /** Files of the console by URL path; `/index.html` is served for `/`. */
  readonly files: ReadonlyMap<string, StaticFile>;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** The console allows itself nothing from elsewhere, no inline script and no framing. */
const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** Serves console, API, metrics and health. Rejects with a message for people when the port is taken. */
export async function serve(
  sources: ServerSources,
  options: { readonly host: string; readonly port: number },
): Promise<RunningServer> {
  const askers = new Set<ServerResponse>();
  const server = createServer((request, response) =>
    answer({ ...sources, askers }, request, response),
  );
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${options.host}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Rejects with a message for people when the port is taken. */
export function listen(
  server: NetServer,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const hint =
        error.code === 'EADDRINUSE' ? 'the port is in use; choose another' : error.message;
      reject(new Error(`listening on ${host}:${port}: ${hint}`));
    });
    server.listen(port, host, () => resolve());
  });
}

interface Desk extends ServerSources {
  /** Those to whom the cluster is being sent just now. */
  readonly askers: Set<ServerResponse>;
}

/** Each asker keeps the cluster in memory as it was when it asked. */
const mostAskers = 8;

function answer(sources: Desk, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    send(response, { status: 405, type: 'text/plain', body: 'this server only shows; use GET\n' });
    return;
  }
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/api/stream') {
    streamTo(sources, response);
    return;
  }
  if (url.pathname === '/api/snapshot' && sources.isReady()) {
    answerAsker(sources, request, response);
    return;
  }
  send(response, page(sources, url));
}

function answerAsker(sources: Desk, request: IncomingMessage, response: ServerResponse): void {
  const { askers } = sources;
  if (askers.size >= mostAskers) {
    send(response, tooMany);
    return;
  }
  response.writeHead(200, headersOf('application/x-ndjson'));
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  askers.add(response);
  response.once('close', () => askers.delete(response));
  sendQuestion(sources, response);
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
}

function page(sources: ServerSources, url: URL): Answer {
  switch (url.pathname) {
    case '/healthz':
      return { status: 200, type: 'text/plain', body: 'ok\n' };
    case '/readyz':
      return sources.isReady() ? { status: 200, type: 'text/plain', body: 'ok\n' } : notReady;
    case '/api/snapshot':
      return notReady;
    case '/metrics':
      return {
        status: 200,
        type: 'text/plain; version=0.0.4; charset=utf-8',
        body: sources.metrics(),
      };
    case '/api/view':
      return json(viewOf(sources.observation, sources.clusterName));
    case '/api/decisions':
      return json(sources.decisions.since(Number(url.searchParams.get('since') ?? 0) || 0));
    default:
      return file(sources.files, url.pathname);
  }
}

const tooMany: Answer = {
  status: 429,
  type: 'text/plain',
  body: 'too many ask for the whole cluster at once; try again in a moment\n',
};

const notReady: Answer = { status: 503, type: 'text/plain', body: 'caches are not filled yet\n' };

function json(value: unknown): Answer {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}

function file(files: ReadonlyMap<string, StaticFile>, path: string): Answer {
  const found = files.get(path === '/' ? '/index.html' : path);
  if (found === undefined)
    return { status: 404, type: 'text/plain', body: 'there is nothing here\n' };
  return { status: 200, type: found.type, body: found.content };
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, headersOf(type));
  response.end(body);
}

function headersOf(type: string): Readonly<Record<string, string>> {
  return { ...securityHeaders, 'content-type': type, 'cache-control': 'no-store' };
}
