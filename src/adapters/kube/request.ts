import { type Clock, sleep } from '../../ports/clock.ts';
import { type HttpHandler, type HttpResponse, readBody } from '../../ports/http.ts';
import { isKubeError, KubeError } from '../../ports/kube.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import type { Call } from './call.ts';
import { linkedTo } from './linked-signal.ts';
import { errorFromAnswer } from './status-error.ts';

export interface Sender {
  readonly send: HttpHandler;
  readonly clock: Clock;
  readonly log: Log | undefined;
  readonly random: Random | undefined;
  readonly userAgent: string;
  readonly watchSeconds: number;
  readonly pass: () => Promise<void> | undefined;
}

/** How often a call is sent in all, and how long between. */
const attempts = 5;
const firstDelayMs = 200;
const longestDelayMs = 5_000;
/** An answer that takes longer than this is not coming. */
const answerWithinMs = 60_000;

/** Errors from before a connection was there: the server cannot have seen the request. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * Sends the call and answers the body. Reads are repeated after lost connections and server
 * errors, writes only if the server never saw them or asked to come again; then a KubeError.
 */
export async function request(sender: Sender, call: Call): Promise<string> {
  for (let failures = 0; ; failures++) {
    try {
      return await sendOnce(sender, call);
    } catch (error) {
      if (!isKubeError(error) || failures + 1 >= attempts || !canRepeat(call, error)) throw error;
      const waitMs = error.retryAfterMs ?? delayMs(sender, failures);
      sender.log?.debug('asking again', { error, waitMs });
      await sleep(sender.clock, waitMs, call.signal).catch(() => undefined);
    }
  }
}

function canRepeat(call: Call, error: KubeError): boolean {
  if (call.signal?.aborted === true) return false;
  if (error.kind === 'too-many-requests') {
    return call.isRefusalFinal !== true && error.retryAfterMs !== undefined;
  }
  if (error.kind === 'unreachable') return call.method === 'GET' || isNeverSent(error.cause);
  return call.method === 'GET' && error.kind === 'server-error' && error.status >= 502;
}

async function sendOnce(sender: Sender, call: Call): Promise<string> {
  if (call.isUrgent !== true) await sender.pass();
  const { controller: deadline, unlink } = linkedTo(call.signal);
  const cancel = sender.clock.schedule(answerWithinMs, () => {
    deadline.abort(new Error(`no answer within ${answerWithinMs / 1_000} s`));
  });
  try {
    deadline.signal.throwIfAborted();
    const response = await sender.send({ ...toHttp(sender, call), signal: deadline.signal });
    const body = await readBody(response);
    if (response.status >= 400) throw errorFromAnswer(call.doing, response, body);
    return body;
  } catch (error) {
    throw isKubeError(error) ? error : unreachable(call.doing, reasonOf(deadline.signal, error));
  } finally {
    cancel();
    unlink();
  }
}

/** Opens a call whose answer comes in pieces. Never repeated here: the caller resumes. */
export async function openStream(
  sender: Sender,
  call: Call,
  signal: AbortSignal,
): Promise<HttpResponse> {
  await sender.pass();
  let response: HttpResponse;
  try {
    response = await sender.send({ ...toHttp(sender, call), signal });
  } catch (error) {
    throw unreachable(call.doing, error);
  }
  if (response.status < 400) return response;
  throw errorFromAnswer(call.doing, response, await readBody(response));
}

export function unreachable(doing: string, cause: unknown): KubeError {
  return new KubeError('unreachable', `${doing}: ${textOf(cause)}`, { cause });
}

function toHttp(sender: Sender, call: Call) {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': sender.userAgent,
  };
  if (call.body === undefined) return { method: call.method, path: call.path, headers };
  headers['content-type'] = call.contentType ?? 'application/json';
  return { method: call.method, path: call.path, headers, body: JSON.stringify(call.body) };
}

function delayMs(sender: Sender, failures: number): number {
  const fullMs = Math.min(longestDelayMs, firstDelayMs * 2 ** failures);
  return fullMs * (1 - (sender.random?.fraction() ?? 0) / 2);
}

function isNeverSent(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && neverSent.has(String(cause.code));
}

/** Once we have given up ourselves, that is the reason, whatever the transport makes of it. */
function reasonOf(signal: AbortSignal, error: unknown): unknown {
  return signal.aborted ? signal.reason : error;
}

function textOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message === '' ? cause.name : cause.message;
}
