import type { ServerResponse } from 'node:http';
import type { ServerSources } from './serve.ts';
import { viewOf } from './view.ts';

const viewIntervalMs = 250;
const heartbeatIntervalMs = 15_000;

/** So much may wait for a reader. One that has stopped reading is let go and starts over, if it comes back. */
const longestBacklogBytes = 4 * 1024 * 1024;

/** How many past decisions a new reader is shown; `/api/decisions` has all that are kept. */
const replayedDecisions = 300;

/**
 * Server-sent events: first `reset` and the latest decisions, then `decision` for each new one and
 * `view` whenever the cluster has changed, at most four times a second. A reader that lags loses
 * views, never decisions, until it lags too far. A reader that comes back starts over, so that it need not know whether
 * it talks to the same process as before.
 */
export function streamTo(sources: ServerSources, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  sendEvent(response, 'reset', {});
  for (const decision of sources.decisions.since(0).slice(-replayedDecisions)) {
    sendEvent(response, 'decision', decision);
  }
  sendView(sources, response);
  const throttled = throttle(sources, () => sendView(sources, response));
  const stops = [
    sources.decisions.subscribe((decision) => sendEvent(response, 'decision', decision)),
    sources.observation.subscribe(throttled.request),
    throttled.stop,
    repeat(sources, heartbeatIntervalMs, () => response.write(': still here\n\n')),
  ];
  response.on('close', () => {
    for (const stop of stops) stop();
  });
}

function sendView(sources: ServerSources, response: ServerResponse): void {
  // A reader that does not keep up gets the next view instead of a queue of old ones.
  if (response.writableNeedDrain) return;
  sendEvent(response, 'view', viewOf(sources.observation, sources.clusterName));
}

function sendEvent(response: ServerResponse, name: string, data: unknown): void {
  if (response.writableLength > longestBacklogBytes) response.destroy();
  response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
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
