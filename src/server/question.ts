import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { writingGraph } from '../core/value-graph/write.ts';
import { breathe } from '../ports/clock.ts';
import { inSlices } from '../ports/slices.ts';
import type { ServerSources } from './serve.ts';

export type { Question } from '../ports/observation.ts';

type Sources = Pick<ServerSources, 'clock' | 'observation'>;

/** A reader that takes nothing for so long is let go. */
const patienceMs = 60_000;

/**
 * Sends what a plan made now would be asked, as `GraphReader` reads it. Gathered, written and sent
 * a little at a time, so that nobody else waits and little of the text is held; a reader who leaves
 * ends the work. A text that breaks off, whatever the reason, lacks its last line.
 */
export function sendQuestion(sources: Sources, response: ServerResponse): void {
  send(sources, response).then(
    () => response.end(),
    (error: Error) => response.destroy(error),
  );
}

async function send({ clock, observation }: Sources, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the reader has gone')));
  const text = writingGraph(await observation.question(gone.signal));
  while (await inSlices(writeUntilFull(text, response), clock, gone.signal)) {
    const stopWaiting = clock.schedule(patienceMs, () => response.destroy());
    await once(response, 'drain', { signal: gone.signal }).finally(stopWaiting);
    // A reader may keep up so well that nobody else would ever have a turn.
    await breathe(clock);
  }
}

/** Whether something is left to be written once the reader has caught up. */
function* writeUntilFull(
  text: Iterator<string, void>,
  response: ServerResponse,
): Generator<void, boolean> {
  for (let step = text.next(); step.done !== true; step = text.next()) {
    if (!response.write(step.value)) return true;
    yield;
  }
  return false;
}
