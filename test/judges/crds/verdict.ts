import { type HttpHandler, readBody } from '../../../src/ports/http.ts';
import type { Question } from './question.ts';

/** What a server says to a question. */
export interface Verdict {
  readonly status: number;
  /** What is wrong, each as `field: reason: message`, in the order of the alphabet. */
  readonly causes: readonly string[];
  /** The fields that are wrong. */
  readonly fields: readonly string[];
  /** Of an accepted object, what would be stored: its spec and status with defaults. */
  readonly stored: unknown;
  readonly warnings: string;
}

interface Answer {
  readonly message?: string;
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly details?: { readonly causes?: readonly Cause[] };
}

interface Cause {
  readonly field?: string;
  readonly reason?: string;
  readonly message?: string;
}

export async function verdictOf(handle: HttpHandler, question: Question): Promise<Verdict> {
  const response = await handle({
    method: question.method,
    path: question.path,
    headers: { 'content-type': question.type, accept: 'application/json' },
    body: JSON.stringify(question.body),
  });
  const answer = JSON.parse(await readBody(response)) as Answer;
  const isAccepted = response.status < 300;
  const causes = (answer.details?.causes ?? []).map(
    ({ field, reason, message }) => `${field}: ${reason}: ${plain(message ?? '')}`,
  );
  const fields = (answer.details?.causes ?? []).map(({ field = '' }) => field);
  return {
    status: response.status,
    causes: isAccepted ? [] : sorted(causes.length > 0 ? causes : [answer.message ?? '']),
    fields: sorted(fields),
    stored: isAccepted ? { spec: answer.spec, status: answer.status } : undefined,
    warnings: String(response.headers.warning ?? ''),
  };
}

/** A patch is quoted together with times and ids, which differ from server to server. */
function plain(message: string): string {
  return message.replace(/^Invalid value: "\{.*\}": strict/, 'Invalid value: …: strict');
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

/** Asks all questions, some at a time, and keeps the order of the answers. */
export async function verdicts(
  handle: HttpHandler,
  all: readonly Question[],
): Promise<readonly Verdict[]> {
  const results: Verdict[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < all.length; i = next++) {
      results[i] = await verdictOf(handle, all[i] as Question);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return results;
}
