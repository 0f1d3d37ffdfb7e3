import { GraphReader } from '../../../src/core/value-graph/read.ts';
import type { Question } from '../../../src/server/question.ts';
import type { Ask, Reply } from './answer.ts';
import { workOut } from './work-out.ts';

/** Beside the page, which stays awake however long the engine takes: asks the cluster, then the engine. */
addEventListener('message', ({ data }: MessageEvent<{ ask: Ask; url: string }>) => {
  // An error of ours is reported, which the page hears of; a rejection would stay in here.
  replyTo(data.ask, data.url).then((reply) => postMessage(reply), reportError);
});

async function replyTo(ask: Ask, url: string): Promise<Reply> {
  const question = await fetchQuestion(url);
  return typeof question === 'string'
    ? { kind: 'failed', sentence: question }
    : workOut(question, ask);
}

/** All that a plan would be asked now; or why it cannot be had, as a sentence. */
async function fetchQuestion(url: string): Promise<Question | string> {
  const reader = new GraphReader();
  try {
    const response = await fetch(url);
    if (response.status === 503) return 'The controller has not seen all of the cluster yet.';
    if (response.status === 429)
      return 'Too many ask the controller at once. Try again in a moment.';
    if (!response.ok || response.body === null) return 'The controller does not answer this.';
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read())
      reader.take(piece.value);
  } catch (error) {
    // What the browser throws when a connection fails, or breaks off.
    if (!(error instanceof TypeError)) throw error;
    return 'The controller could not be reached.';
  }
  return reader.value() as Question;
}
