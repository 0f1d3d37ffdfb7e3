import type { ServerResponse } from 'node:http';
import type { ServerSources } from './serve.ts';
import { viewOf } from './view.ts';

const viewIntervalMs = 250;
const heartbeatIntervalMs = 15_000;

/**
 * Server-sent events: `decision` for each decision after `since`, `view` whenever the cluster has
 * changed, at most four times a second. A reader that lags loses views, never decisions.
 */
export function streamTo(sources: ServerSources, response: ServerResponse, since: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const view = (): void => sendView(sources, response);
  for (const decision of sources.decisions.since(Number.isFinite(since) ? since : 0)) {
    sendEvent(response, 'decision', decision, decision.id);
  }
  view();
  const throttled = throttle(sources, view);
  const stops = [
    sources.decisions.subscribe((decision) =>
      sendEvent(response, 'decision', decision, decision.id),
    ),
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

function sendEvent(response: ServerResponse, name: string, data: unknown, id?: number): void {
  const head = id === undefined ? '' : `id: ${id}\n`;
  response.write(`${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
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
