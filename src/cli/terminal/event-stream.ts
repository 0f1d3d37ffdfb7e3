import { get } from 'node:http';
import type { Decision } from '../../core/explain/decision.ts';
import type { ClusterView } from '../../server/view.ts';

export interface StreamListener {
  decide(decision: Decision): void;
  show(view: ClusterView): void;
}

/** Follows the controller's event stream until the signal is aborted or the stream ends. */
export function followStream(
  url: string,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(new URL('api/stream', url), { signal }, (response) => {
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        const events = (rest + piece).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) dispatch(event, listener);
      });
      response.on('end', () => resolve());
      response.on('error', (error) => (signal.aborted ? resolve() : reject(error)));
    });
    request.on('error', (error) => (signal.aborted ? resolve() : reject(error)));
  });
}

function dispatch(event: string, listener: StreamListener): void {
  const field = (name: string): string =>
    event
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? '';
  const data = field('data');
  if (data === '') return;
  if (field('event') === 'decision') listener.decide(JSON.parse(data) as Decision);
  if (field('event') === 'view') listener.show(JSON.parse(data) as ClusterView);
}
