import { apiVersionOf } from '../../../api/resource.ts';
import type { HttpResponse } from '../../../ports/http.ts';
import { type ApiObject, isObject, type Json, type JsonObject, listAt, objectAt } from '../json.ts';
import { dispatch } from '../rest/dispatch.ts';
import type { ListMetadata } from '../rest/encode.ts';
import { withWarnings } from '../rest/respond.ts';
import { type View, viewFor } from '../rest/view.ts';
import { StatusError } from '../status/status.ts';
import type { VersionCall } from './convert-call.ts';

/** Reads, watches and deletions: done in the stored version, shown in the one asked for. */
export async function convertedRead(version: VersionCall): Promise<HttpResponse> {
  const { state, call, stored } = version;
  const { accept: _accept, ...headers } = call.request.headers;
  const response = dispatch(state, {
    ...call,
    kind: stored,
    request: { ...call.request, headers },
  });
  const { deprecation } = call.kind;
  const warned = withWarnings(response, deprecation === undefined ? [] : [deprecation]);
  const view = viewFor(call.request, { query: call.query, nowMs: () => state.clock.nowMs() });
  if (typeof response.body !== 'string') {
    return { ...warned, body: convertedEvents(version, view, response.body) };
  }
  const body = JSON.parse(response.body) as Json;
  if (!isObject(body) || body.kind === 'Status') return warned;
  return { ...warned, body: await shown(version, view, body) };
}

async function shown(
  { call, stored, convert }: VersionCall,
  view: View,
  body: JsonObject,
): Promise<string> {
  const isList = body.kind === stored.listKind;
  const items = isList ? listAt(body, 'items') : [body];
  const objects = await convert(items.map(asStored), stored, call.kind);
  const [first] = objects;
  if (!isList && first !== undefined) return view.one(call.kind, first);
  return view.list(call.kind, objects, objectAt(body, 'metadata') as unknown as ListMetadata);
}

function asStored(item: Json): ApiObject {
  const { apiVersion: _version, kind: _kind, ...object } = objectAt(item);
  return object as ApiObject;
}

/** Events in their order, each converted before the next is looked at. */
async function* convertedEvents(
  version: VersionCall,
  view: View,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  let position: 'first' | 'later' = 'first';
  for await (const piece of pieces) {
    for (const line of piece.split('\n').filter((one) => one !== '')) {
      const { type, object } = JSON.parse(line) as { type: string; object: JsonObject };
      const event = await convertedEvent(version, { type, object, view, position });
      position = 'later';
      yield event.text;
      if (event.isLast) return;
    }
  }
}

interface WatchedEvent {
  readonly type: string;
  readonly object: JsonObject;
  readonly view: View;
  readonly position: 'first' | 'later';
}

async function convertedEvent(
  { call, stored, convert }: VersionCall,
  { type, object, view, position }: WatchedEvent,
): Promise<{ readonly text: string; readonly isLast: boolean }> {
  if (type === 'ERROR') return { text: eventText(type, JSON.stringify(object)), isLast: true };
  if (type === 'BOOKMARK') {
    const moved = { ...object, apiVersion: apiVersionOf(call.kind) };
    return { text: eventText(type, JSON.stringify(moved)), isLast: false };
  }
  try {
    const [converted] = await convert([asStored(object)], stored, call.kind);
    const text = converted === undefined ? '{}' : view.event(call.kind, converted, position);
    return { text: eventText(type, text), isLast: false };
  } catch (error) {
    // A client that misses one change would be wrong for ever: it is told, and watches anew.
    if (!(error instanceof StatusError)) throw error;
    return { text: eventText('ERROR', JSON.stringify(error.toObject())), isLast: true };
  }
}

function eventText(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}
