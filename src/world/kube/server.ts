import type { Clock } from '../../ports/clock.ts';
import type { HttpHandler, HttpRequest, HttpResponse } from '../../ports/http.ts';
import type { Random } from '../../ports/random.ts';
import { bootstrap } from './bootstrap.ts';
import { type AskWebhook, askOverHttps } from './conversion/ask-webhook.ts';
import { convertCall } from './conversion/convert-call.ts';
import { serveDefinitions } from './custom/definitions.ts';
import { discover } from './discovery.ts';
import { builtInKinds } from './kinds/built-in.ts';
import { KindRegistry } from './kinds.ts';
import type { ServerState } from './objects/state.ts';
import { describeApi } from './openapi.ts';
import { parseApiPath, resolveCall } from './rest/call.ts';
import { dispatch } from './rest/dispatch.ts';
import { forgetText } from './rest/encode.ts';
import { json, pageNotFound, plainText } from './rest/respond.ts';
import { badRequest, StatusError } from './status/status.ts';
import { Expiry } from './store/expiry.ts';
import { Store } from './store/store.ts';

export interface KubeServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** What `/version` says; v1.36.0 when not given. */
  readonly version?: string | undefined;
  /** How many changes of each kind watches may look back; 10,000 when not given. */
  readonly historyLength?: number | undefined;
  /** How conversion webhooks are asked; over HTTPS when not given. */
  readonly askWebhook?: AskWebhook | undefined;
}

/** A Kubernetes API server as a function: request in, response out, everything in memory. */
export interface KubeServer {
  readonly handle: HttpHandler;
}

/** The default of `--event-ttl`. */
const eventTtlMs = 3_600_000;

export function createKubeServer(options: KubeServerOptions): KubeServer {
  const { clock, random, version = 'v1.36.0', historyLength = 10_000 } = options;
  const store = new Store({ historyLength, onReplaced: forgetText });
  const state: ServerState = {
    clock,
    random,
    store,
    kinds: new KindRegistry(builtInKinds()),
    eventExpiry: new Expiry({ clock, store, storage: 'events', ttlMs: eventTtlMs }),
  };
  serveDefinitions(state);
  bootstrap(state);
  const { askWebhook = askOverHttps } = options;
  return { handle: async (request) => answer(state, request, { version, askWebhook }) };
}

interface Routing {
  readonly version: string;
  readonly askWebhook: AskWebhook;
}

type Answer = HttpResponse | Promise<HttpResponse>;

function answer(state: ServerState, request: HttpRequest, routing: Routing): Answer {
  request.signal?.throwIfAborted();
  state.eventExpiry.sweep();
  try {
    return route(state, request, routing);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.toResponse();
  }
}

const healthPaths = /^\/(healthz|livez|readyz)(\/|$)/;

function route(state: ServerState, request: HttpRequest, routing: Routing): Answer {
  const { path, query } = splitPath(request.path);
  if (healthPaths.test(path)) return plainText(200, 'ok');
  if (path === '/version' || path === '/version/') return json(200, versionText(routing.version));
  const call = resolveCall(state.kinds, request, { path, query });
  if (call?.kind.conversion !== undefined) return convertCall(state, call, routing.askWebhook);
  if (call !== undefined) return dispatch(state, call);
  return (
    discover(state.kinds, request) ?? describeApi(state.kinds, request) ?? notServed(state, path)
  );
}

/** Groups of our own say it as a Status, everything else as the plain page of a web server. */
function notServed(state: ServerState, path: string): HttpResponse {
  const parsed = parseApiPath(path);
  const isOurs = state.kinds
    .all()
    .some(
      (kind) => !kind.isCustom && kind.group === parsed?.group && kind.version === parsed.version,
    );
  if (!isOurs) return pageNotFound();
  const text = 'the server could not find the requested resource';
  throw new StatusError(404, 'NotFound', text, {});
}

function splitPath(text: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = text.indexOf('?');
  const path = mark < 0 ? text : text.slice(0, mark);
  checkEscapes(path);
  return { path, query: new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1)) };
}

function checkEscapes(path: string): void {
  try {
    decodeURIComponent(path);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw badRequest('invalid URL escape in the path');
  }
}

function versionText(version: string): string {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  return JSON.stringify({
    major,
    minor,
    gitVersion: version,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: 'linux/amd64',
  });
}
