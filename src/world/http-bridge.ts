import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { emitWarning } from 'node:process';
import type { HttpHandler, HttpRequest, HttpResponse } from '../ports/http.ts';

export type SocketRequest = IncomingMessage | Http2ServerRequest;
export type SocketResponse = ServerResponse | Http2ServerResponse;

export interface BridgeOptions {
  readonly handle: HttpHandler;
  /** Looks at a request before it is handled; an answer given here is sent in its place. */
  readonly admit?: ((request: SocketRequest) => HttpResponse | undefined) | undefined;
}

/** Carries requests from sockets to a handler and its answers back. */
export interface Bridge {
  readonly listener: (request: SocketRequest, response: SocketResponse) => void;
  /** Ends streamed answers, lets the others finish, and resolves when nothing is under way. */
  drain(): Promise<void>;
}

export function createBridge(options: BridgeOptions): Bridge {
  const underway = new Map<AbortController, Promise<void>>();
  return {
    listener: (request, response) => {
      const abort = new AbortController();
      const done = answer(options, { request, response, abort }).finally(() =>
        underway.delete(abort),
      );
      underway.set(abort, done);
    },
    drain: async () => {
      const pending = [...underway.entries()];
      for (const [abort] of pending) abort.abort(new Error('the server is closing'));
      await Promise.all(pending.map(([, done]) => done));
    },
  };
}

interface Exchange {
  readonly request: SocketRequest;
  readonly response: SocketResponse;
  readonly abort: AbortController;
}

/** Never rejects: when there is no answer to give, the client sees its connection break. */
async function answer(options: BridgeOptions, exchange: Exchange): Promise<void> {
  const { request, response, abort } = exchange;
  const onGone = (): void => abort.abort(new Error('the client is gone'));
  response.once('close', onGone);
  request.once('error', onGone);
  response.once('error', onGone);
  try {
    const given = options.admit?.(request) ?? (await options.handle(await readRequest(exchange)));
    await send(given, exchange);
  } catch (error) {
    response.destroy();
    if (!abort.signal.aborted) emitWarning(error instanceof Error ? error : String(error));
  }
}

async function readRequest({ request, abort }: Exchange): Promise<HttpRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const headers = plainHeaders(request);
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers,
    ...(pieces.length > 0 && { body: decodeBody(Buffer.concat(pieces), headers) }),
    signal: abort.signal,
  };
}

function plainHeaders(request: SocketRequest): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined) continue;
    // HTTP/2 carries the method, path and host as headers whose names begin with a colon.
    if (name === ':authority') headers.host = String(value);
    if (!name.startsWith(':')) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

const textual = /json|yaml|xml|text\/|x-www-form-urlencoded|x-amz/i;

function decodeBody(body: Buffer, headers: Readonly<Record<string, string>>): string | Uint8Array {
  const isPacked = headers['content-encoding'] !== undefined;
  const type = headers['content-type'];
  return !isPacked && (type === undefined || textual.test(type)) ? body.toString('utf8') : body;
}

/** Resolves when everything is written, the client has gone, or the server is closing. */
async function send(given: HttpResponse, { response, abort }: Exchange): Promise<void> {
  if (abort.signal.aborted && response.destroyed) return;
  response.statusCode = given.status;
  for (const [name, value] of Object.entries(given.headers)) response.setHeader(name, value);
  if (typeof given.body === 'string') {
    await finish(given.body, response);
    return;
  }
  // The client of a watch waits for the headers before there is anything to tell.
  (response as ServerResponse).flushHeaders();
  for await (const piece of given.body) {
    if (response.destroyed) return;
    if (!write(response, piece)) await drained(response, abort.signal);
  }
  response.end();
}

function write(response: SocketResponse, piece: string): boolean {
  return (response as ServerResponse).write(piece);
}

/** Resolves when the client has taken what was written, has gone, or is no longer waited for. */
function drained(response: SocketResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      signal.removeEventListener('abort', settle);
      response.off('drain', settle);
      resolve();
    };
    if (signal.aborted) return settle();
    signal.addEventListener('abort', settle, { once: true });
    response.once('drain', settle);
  });
}

function finish(body: string, response: SocketResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    (response as ServerResponse).end(body, () => resolve());
  });
}
