import type { KubeObject, Resource } from '../../api/resource.ts';
import { isKubeError, type WatchEvent, type WatchOptions } from '../../ports/kube.ts';
import type { Call } from './call.ts';
import { parseBody, typed } from './decode.ts';
import { linesOf } from './json-lines.ts';
import { linkedTo } from './linked-signal.ts';
import { openStream, type Sender, unreachable } from './request.ts';
import { collectionPath, selectorQuery, withQuery } from './resource-path.ts';
import { errorFromStatus, type Status } from './status-error.ts';

export interface Watch<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly options: WatchOptions;
  readonly signal: AbortSignal;
}

interface WireEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: object;
}

/** A server that has not ended the watch this long after its time is not there any more. */
const graceMs = 30_000;

/** The changes of one watch request, as the port promises them. */
export async function* watchChanges<T extends KubeObject>(
  sender: Sender,
  watch: Watch<T>,
): AsyncGenerator<WatchEvent<T>> {
  const { resource, options, signal } = watch;
  if (signal.aborted) return;
  // Of differing lengths, so that not all watches are opened again at the same time.
  const timeoutSeconds = Math.round(sender.watchSeconds * (1 + (sender.random?.fraction() ?? 0.5)));
  const call = watchCall(resource, options, timeoutSeconds);
  const stop = linkedTo(signal);
  const cancel = sender.clock.schedule(timeoutSeconds * 1_000 + graceMs, () => {
    stop.controller.abort(new Error('the server did not end the watch in time'));
  });
  try {
    const { body } = await openStream(sender, call, stop.controller.signal);
    const pieces = typeof body === 'string' ? single(body) : body;
    for await (const line of linesOf(pieces)) yield eventOf(watch, call.doing, line);
  } catch (error) {
    if (signal.aborted) return;
    if (isKubeError(error)) throw error;
    const { aborted, reason } = stop.controller.signal;
    throw unreachable(call.doing, aborted ? reason : error);
  } finally {
    cancel();
    stop.unlink();
  }
}

function watchCall<T extends KubeObject>(
  resource: Resource<T>,
  options: WatchOptions,
  timeoutSeconds: number,
): Call {
  const query = {
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: options.resourceVersion,
    timeoutSeconds: String(timeoutSeconds),
    ...selectorQuery(options),
  };
  return {
    doing: `watching ${resource.plural}`,
    method: 'GET',
    path: withQuery(collectionPath(resource, options.namespace), query),
  };
}

function eventOf<T extends KubeObject>(
  watch: Watch<T>,
  doing: string,
  line: string,
): WatchEvent<T> {
  const { type, object } = parseLine(doing, line);
  switch (type) {
    case 'ERROR':
      throw errorFromStatus(doing, object as Status);
    case 'BOOKMARK':
      return { type, resourceVersion: (object as KubeObject).metadata.resourceVersion ?? '' };
    default:
      return { type, object: typed(watch.resource, object) };
  }
}

/** Half a line is what a connection leaves behind that broke in the middle of an event. */
function parseLine(doing: string, line: string): WireEvent {
  try {
    return parseBody(doing, line) as WireEvent;
  } catch (cause) {
    throw unreachable(doing, cause);
  }
}

async function* single(body: string): AsyncGenerator<string> {
  yield body;
}
