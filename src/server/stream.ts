import type { ServerResponse } from 'node:http';
import type { ServerSources } from './serve.ts';
import { type ClusterView, viewOf } from './view.ts';

const viewIntervalMs = 250;
const heartbeatIntervalMs = 15_000;

/** So much may wait for a reader beside a view. Who has stopped reading is let go, and may come back. */
const longestBacklogBytes = 4 * 1024 * 1024;

/** How many past decisions a new reader is shown; `/api/decisions` has all that are kept. */
const replayedDecisions = 300;

/**
 * Server-sent events: first `reset` and the latest decisions, then `decision` for each new one and
 * `view` whenever the cluster has changed, at most four times a second. A reader that lags loses
 * views, never decisions, until it lags too far. A reader that comes back starts over, so that it
 * need not know whether it talks to the same process as before.
 */
export function streamTo(sources: ServerSources, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const reader = new Reader(response);
  reader.send('reset', {});
  for (const decision of sources.decisions.since(0).slice(-replayedDecisions)) {
    reader.send('decision', decision);
  }
  const sendView = (): void => reader.sendView(viewOf(sources.observation, sources.clusterName));
  sendView();
  // A reader that does not keep up gets the next view instead of a queue of old ones.
  const throttled = throttle(sources, () => {
    if (!response.writableNeedDrain) sendView();
  });
  const stops = [
    sources.decisions.subscribe((decision) => reader.send('decision', decision)),
    sources.observation.subscribe(throttled.request),
    throttled.stop,
    repeat(sources, heartbeatIntervalMs, () => response.write(': still here\n\n')),
  ];
  response.on('close', () => {
    for (const stop of stops) stop();
  });
}

class Reader {
  readonly #response: ServerResponse;
  /** What waited for it when it had just been sent a view; that of a large cluster is megabytes. */
  #withViewBytes = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  send(name: string, data: unknown): void {
    const mostBytes = this.#withViewBytes + longestBacklogBytes;
    if (this.#response.writableLength > mostBytes) this.#response.destroy();
    this.#response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  sendView(view: ClusterView): void {
    this.send('view', view);
    this.#withViewBytes = this.#response.writableLength;
  }
}

/** Runs the action soon after a request, and not again before the interval has passed. */
function throttle(
  sources: ServerSources,
  action: () => void,
): { request: () => void; stop: () => void } {
  let cancel: (() => void) | undefined;
  const request = (): void => {
    cancel ??= sources.clock.schedule(viewIntervalMs, () => {
      cancel = undefined;
      action();
    });
  };
  return { request, stop: () => cancel?.() };
}

function repeat(sources: ServerSources, intervalMs: number, action: () => void): () => void {
  let cancel = sources.clock.schedule(intervalMs, again);
  function again(): void {
    action();
    cancel = sources.clock.schedule(intervalMs, again);
  }
  return () => cancel();
}
