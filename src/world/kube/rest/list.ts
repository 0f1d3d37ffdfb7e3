import { Buffer } from 'node:buffer';
import type { HttpResponse } from '../../../ports/http.ts';
import type { ApiObject, JsonObject } from '../json.ts';
import type { ServerState } from '../objects/state.ts';
import { badRequest, expired, StatusError } from '../status/status.ts';
import { firstIndexAtLeast, rangeOfPrefix } from '../store/sorted.ts';
import type { Page } from '../store/store.ts';
import type { Call } from './call.ts';
import { json } from './respond.ts';
import { type Selection, selectionOf } from './selection.ts';
import type { View } from './view.ts';

/** Answers GET of a collection: a consistent view at one revision, in pages if asked for. */
export function listObjects(state: ServerState, call: Call, view: View): HttpResponse {
  const selection = selectionOf(call);
  const limit = limitOf(call.query);
  const start = startOf(state, call);
  const found = collect(start, selection, { limit, prefix: prefixOf(call) });
  const resourceVersion = String(start.revision);
  const isWhole = selection.isEverything;
  const metadata = {
    resourceVersion,
    ...(found.next === undefined ? {} : { continue: token(start.revision, found.next) }),
    ...(found.next !== undefined && isWhole ? { remainingItemCount: found.remaining } : {}),
  };
  return json(200, view.list(call.kind, found.objects, metadata));
}

/** Every object that a collection request selects, now. */
export function selectedObjects(state: ServerState, call: Call): readonly ApiObject[] {
  const { store } = state;
  const start = { page: store.current(call.kind.storage), revision: store.revision, from: '' };
  return collect(start, selectionOf(call), { limit: 0, prefix: prefixOf(call) }).objects;
}

export function prefixOf({ namespace }: Call): string {
  return namespace === '' ? '' : `${namespace}/`;
}

interface Start {
  readonly page: Page;
  readonly revision: number;
  /** The first key that may be returned. */
  readonly from: string;
}

function startOf(state: ServerState, call: Call): Start {
  const given = call.query.get('continue');
  if (given !== null && given !== '') return continued(state, call, given);
  const { store } = state;
  const asked = call.query.get('resourceVersion') ?? '';
  const current = { page: store.current(call.kind.storage), revision: store.revision, from: '' };
  if (asked === '' || asked === '0') return current;
  const revision = revisionOf(asked);
  if (revision > store.revision) throw tooLarge(revision, store.revision);
  const match = call.query.get('resourceVersionMatch');
  const isExact = match === 'Exact' || (match === null && limitOf(call.query) > 0);
  if (!isExact) return current;
  const page = store.at(call.kind.storage, revision);
  if (page === undefined) throw expired('The provided resource version is too old.');
  return { page, revision, from: '' };
}

/** Reads a resourceVersion; throws a 400 for anything but a number. */
export function revisionOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

function tooLarge(revision: number, current: number): StatusError {
  return new StatusError(
    504,
    'Timeout',
    `Timeout: Too large resource version: ${revision}, current: ${current}`,
    {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  );
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? '0';
  if (!/^\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  }
  return Number(text);
}

interface Found {
  readonly objects: readonly ApiObject[];
  /** The key after the last one looked at, when more may follow. */
  readonly next: string | undefined;
  readonly remaining: number;
}

function collect(
  { page, from }: Start,
  selection: Selection,
  { limit, prefix }: { readonly limit: number; readonly prefix: string },
): Found {
  const [first, end] = rangeOfPrefix(page.keys, prefix);
  const objects: ApiObject[] = [];
  let i = Math.max(first, from === '' ? 0 : firstIndexAtLeast(page.keys, from));
  for (; i < end && (limit === 0 || objects.length < limit); i++) {
    const object = page.get(page.keys[i] ?? '');
    if (object !== undefined && selection.matches(object)) objects.push(object);
  }
  return { objects, next: i < end ? page.keys[i] : undefined, remaining: end - i };
}

/** A revision of -1 reads what is there now, after the one asked for was forgotten. */
function token(revision: number, start: string): string {
  const content = { v: 'meta.k8s.io/v1', rv: revision, start };
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

function continued(state: ServerState, call: Call, given: string): Start {
  if ((call.query.get('resourceVersion') ?? '') !== '') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const { rv, start } = readToken(given);
  const { store } = state;
  const { storage } = call.kind;
  if (rv < 0) return { page: store.current(storage), revision: store.revision, from: start };
  const page = store.at(storage, rv);
  if (page === undefined) throw tokenExpired(start);
  return { page, revision: rv, from: start };
}

function readToken(given: string): { readonly rv: number; readonly start: string } {
  try {
    const { rv, start } = JSON.parse(Buffer.from(given, 'base64url').toString()) as JsonObject;
    if (typeof rv === 'number' && typeof start === 'string') return { rv, start };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw badRequest(
    'invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
  );
}

function tokenExpired(start: string): StatusError {
  const error = new TokenExpired(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  error.continue = token(-1, start);
  return error;
}

/** Carries a token with which the client may go on, at the price of consistency. */
class TokenExpired extends StatusError {
  continue = '';

  override toObject(): JsonObject {
    return { ...super.toObject(), metadata: { continue: this.continue } };
  }
}
