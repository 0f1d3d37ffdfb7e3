import type { Ask, Reply } from './answer.ts';

let worker: Worker | undefined;
let isBusy = false;

/** Asks, of the cluster as it is at this moment. A question that is still open is given up. */
export function ask(question: Ask, onReply: (reply: Reply) => void): void {
  if (isBusy) worker?.terminate();
  const current = isBusy || worker === undefined ? newWorker() : worker;
  worker = current;
  isBusy = true;
  const finish = (reply: Reply): void => {
    isBusy = false;
    onReply(reply);
  };
  current.onmessage = ({ data }: MessageEvent<Reply>) => finish(data);
  current.onerror = (event) => {
    current.terminate();
    worker = undefined;
    // An event without a message tells that the script itself could not be loaded.
    const { message = 'reload the page to try again' } = event as Partial<ErrorEvent>;
    finish({ kind: 'failed', sentence: `This could not be worked out: ${message}` });
  };
  current.postMessage({ ask: question, url: new URL('./api/snapshot', document.baseURI).href });
}

function newWorker(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}
