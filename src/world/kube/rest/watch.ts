import { apiVersionOf } from '../../../api/resource.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { HttpResponse } from '../../../ports/http.ts';
import type { ApiObject, JsonObject } from '../json.ts';
import type { Kind } from '../kinds.ts';
import type { ServerState } from '../objects/state.ts';
import { type FieldError, forbidden, unsupported } from '../status/field-error.ts';
import { expired, invalidObject } from '../status/status.ts';
import { rangeOfPrefix } from '../store/sorted.ts';
import type { Change } from '../store/store.ts';
import type { Call } from './call.ts';
import { LineStream } from './line-stream.ts';
import { prefixOf, revisionOf } from './list.ts';
import { type Selection, selectionOf } from './selection.ts';
import type { View } from './view.ts';

const defaultTimeoutSeconds = 45 * 60;
const bookmarkEveryMs = 60_000;
/** Leases are shared by the events of a minute, so that nobody can rely on more. */
const expireEveryMs = 60_000;

/** Answers a watch: what is there already if asked for, then every change, line by line. */
export function watchObjects(state: ServerState, call: Call, view: View): HttpResponse {
  const stream = new LineStream();
  const watch = new Watch(state, call, { view, stream });
  watch.start();
  return { status: 200, headers: { 'content-type': 'application/json' }, body: stream };
}

/** One client's watch, from its first line to its end. */
class Watch {
  readonly #state: ServerState;
  readonly #call: Call;
  readonly #view: View;
  readonly #stream: LineStream;
  readonly #selection: Selection;
  readonly #hasBookmarks: boolean;
  #position: 'first' | 'later' = 'first';

  constructor(state: ServerState, call: Call, { view, stream }: Outlet) {
    this.#state = state;
    this.#call = call;
    this.#view = view;
    this.#stream = stream;
    this.#selection = selectionOf(call);
    this.#hasBookmarks = isTrue(call.query.get('allowWatchBookmarks'));
  }

  start(): void {
    const { store, clock, eventExpiry } = this.#state;
    const { storage } = this.#call.kind;
    const canExpire = storage === eventExpiry.storage;
    checkOptions(this.#call);
    if (!this.#replay()) return;
    const stops = [
      store.subscribe(storage, (change) => this.#onChange(change)),
      clock.schedule(timeoutMs(this.#call), () => this.#stream.end()),
      ...(this.#hasBookmarks ? [repeat(clock, bookmarkEveryMs, () => this.#bookmark({}))] : []),
      ...(canExpire ? [repeat(clock, expireEveryMs, () => eventExpiry.sweep())] : []),
    ];
    const { signal } = this.#call.request;
    const onAbort = (): void => this.#stream.end();
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#stream.onEnd(() => {
      for (const stop of stops) stop();
      signal?.removeEventListener('abort', onAbort);
    });
    if (signal?.aborted) this.#stream.end();
  }

  /** Sends what lies before now; false when that is no longer known and the watch has ended. */
  #replay(): boolean {
    const { query, kind } = this.#call;
    const { store } = this.#state;
    const version = query.get('resourceVersion') ?? '';
    const wantsInitial = query.get('sendInitialEvents');
    const isFresh = version === '' || version === '0' || isTrue(wantsInitial);
    if (isFresh && wantsInitial !== 'false') {
      this.#sendInitial();
      if (isTrue(wantsInitial)) this.#bookmark({ 'k8s.io/initial-events-end': 'true' });
      return true;
    }
    const revision = version === '' ? store.revision : revisionOf(version);
    const changes = store.changesSince(kind.storage, revision);
    if (changes === undefined) {
      const oldest = store.oldestRevision(kind.storage);
      const error = expired(`too old resource version: ${revision} (${oldest})`);
      this.#stream.push(`{"type":"ERROR","object":${JSON.stringify(error.toObject())}}\n`);
      this.#stream.end();
      return false;
    }
    for (const change of changes) this.#onChange(change);
    return true;
  }

  #sendInitial(): void {
    const page = this.#state.store.current(this.#call.kind.storage);
    const [first, end] = rangeOfPrefix(page.keys, prefixOf(this.#call));
    for (const key of page.keys.slice(first, end)) {
      const object = page.get(key);
      if (object !== undefined && this.#selection.matches(object)) this.#send('ADDED', object);
    }
  }

  /** An object that starts or stops to match appears and disappears for this client. */
  #onChange({ type, object, previous }: Change): void {
    const matches = type !== 'DELETED' && this.#selection.matches(object);
    const matched = previous !== undefined && this.#selection.matches(previous);
    if (matches) this.#send(matched ? 'MODIFIED' : 'ADDED', object);
    else if (matched) this.#send('DELETED', lastSeen(previous, object));
  }

  #send(type: string, object: ApiObject): void {
    const text = this.#view.event(this.#call.kind, object, this.#position);
    this.#position = 'later';
    this.#stream.push(`{"type":"${type}","object":${text}}\n`);
  }

  #bookmark(annotations: JsonObject): void {
    const object = bookmarkOf(this.#call.kind, String(this.#state.store.revision), annotations);
    this.#stream.push(`{"type":"BOOKMARK","object":${JSON.stringify(object)}}\n`);
  }
}

interface Outlet {
  readonly view: View;
  readonly stream: LineStream;
}

/** A deletion shows the last state that the client may have seen, at the new version. */
function lastSeen(previous: ApiObject, object: ApiObject): ApiObject {
  const { resourceVersion } = object.metadata;
  return {
    ...previous,
    metadata: { ...previous.metadata, ...(resourceVersion && { resourceVersion }) },
  };
}

function bookmarkOf(kind: Kind, resourceVersion: string, annotations: JsonObject): JsonObject {
  const hasAnnotations = Object.keys(annotations).length > 0;
  return {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    metadata: {
      resourceVersion,
      creationTimestamp: null,
      ...(hasAnnotations ? { annotations } : {}),
    },
  };
}

function checkOptions({ query }: Call): void {
  const match = query.get('resourceVersionMatch') ?? '';
  const initial = query.get('sendInitialEvents');
  const errors: FieldError[] = [];
  if (initial === null && match !== '') {
    const text = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
    errors.push(forbidden('resourceVersionMatch', text));
  }
  if (initial !== null && match !== 'NotOlderThan') {
    const text = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
    errors.push(forbidden('resourceVersionMatch', text));
  }
  if (match !== '' && match !== 'NotOlderThan') {
    errors.push(unsupported('resourceVersionMatch', match, ['NotOlderThan']));
  }
  if (errors.length === 0) return;
  throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}

function timeoutMs({ query }: Call): number {
  const seconds = Number(query.get('timeoutSeconds') ?? 0);
  return (seconds > 0 ? seconds : defaultTimeoutSeconds) * 1000;
}

function isTrue(text: string | null): boolean {
  return text === 'true' || text === '1';
}

function repeat(clock: Clock, everyMs: number, callback: () => void): () => void {
  let cancel = (): void => {};
  const next = (): void => {
    cancel = clock.schedule(everyMs, () => {
      callback();
      next();
    });
  };
  next();
  return () => cancel();
}
