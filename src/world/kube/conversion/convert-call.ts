import type { HttpResponse } from '../../../ports/http.ts';
import type { Kind } from '../kinds.ts';
import type { ServerState } from '../objects/state.ts';
import type { Call } from '../rest/call.ts';
import { internalError, StatusError } from '../status/status.ts';
import type { AskWebhook } from './ask-webhook.ts';
import { convertedRead } from './converted-read.ts';
import { convertedWrite } from './converted-write.ts';
import { createConverter } from './converter.ts';

/** What is needed to serve a version that is not the stored one. */
export interface VersionCall {
  readonly state: ServerState;
  readonly call: Call;
  /** The version in which objects are kept. */
  readonly stored: Kind;
  readonly convert: ReturnType<typeof createConverter>;
}

/** Answers a request in a version that a webhook makes from the stored one. */
export async function convertCall(
  state: ServerState,
  call: Call,
  ask: AskWebhook,
): Promise<HttpResponse> {
  try {
    const stored = storedKind(state, call.kind);
    const whole = { state, call, stored, convert: createConverter(state, ask) };
    const isRead = call.method === 'GET' || call.method === 'DELETE';
    return isRead ? await convertedRead(whole) : await convertedWrite(whole);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return error.toResponse();
  }
}

function storedKind(state: ServerState, { group, plural, conversion }: Kind): Kind {
  const stored = state.kinds.find(group, conversion?.storageVersion ?? '', plural);
  if (stored === undefined) throw internalError(`the stored version of ${plural} is not served`);
  return stored;
}
