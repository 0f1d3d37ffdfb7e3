import type { HttpResponse } from '../../ports/http.ts';
import { isKubeError, KubeError, type KubeErrorKind } from '../../ports/kube.ts';

/** The answer that a Kubernetes server gives in place of an object. */
export interface Status {
  readonly kind?: string;
  readonly status?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly name?: string;
    readonly kind?: string;
    readonly retryAfterSeconds?: number;
  };
}

/** Reasons say more than codes: 409 alone does not tell a taken name from a stale version. */
const kindByReason: Readonly<Record<string, KubeErrorKind>> = {
  NotFound: 'not-found',
  AlreadyExists: 'already-exists',
  Conflict: 'conflict',
  Invalid: 'invalid',
  BadRequest: 'invalid',
  MethodNotAllowed: 'invalid',
  NotAcceptable: 'invalid',
  UnsupportedMediaType: 'invalid',
  RequestEntityTooLarge: 'invalid',
  Expired: 'gone',
  Gone: 'gone',
  TooManyRequests: 'too-many-requests',
  Unauthorized: 'unauthorized',
  Forbidden: 'forbidden',
  ServerTimeout: 'server-error',
  Timeout: 'server-error',
  InternalError: 'server-error',
  ServiceUnavailable: 'server-error',
};

const kindByCode: Readonly<Record<number, KubeErrorKind>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'invalid',
  406: 'invalid',
  409: 'conflict',
  410: 'gone',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'too-many-requests',
};

/**
 * The error that a refused request amounts to; its `cause` is the server's Status. `doing` names
 * the verb and the object.
 */
export function errorFromAnswer(doing: string, response: HttpResponse, body: string): KubeError {
  const status = parseStatus(body);
  const retryAfter = Number(response.headers['retry-after'] ?? Number.NaN);
  return errorFromStatus(
    doing,
    { message: textOf(body, response.status), ...status, code: response.status },
    Number.isNaN(retryAfter) ? undefined : retryAfter * 1_000,
  );
}

export function errorFromStatus(doing: string, status: Status, retryAfterMs?: number): KubeError {
  const kind = kindByReason[status.reason ?? ''] ?? kindByCode[status.code ?? 0] ?? 'server-error';
  const askedSeconds = status.details?.retryAfterSeconds;
  const waitMs = retryAfterMs ?? (askedSeconds === undefined ? undefined : askedSeconds * 1_000);
  return new KubeError(kind, `${doing}: ${status.message ?? status.reason ?? 'refused'}`, {
    status: status.code ?? 0,
    cause: status,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
}

/** Whether the server knows the kind and says that there is no such object. */
export function isAbsence(error: unknown): boolean {
  if (!isKubeError(error, 'not-found')) return false;
  // A kind that the server does not serve is answered with plain text, and is no absence.
  return (error.cause as Status | undefined)?.reason === 'NotFound';
}

/** The Status in a body, or undefined when the body is something else. */
function parseStatus(body: string): Status | undefined {
  if (!body.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(body) as Status;
    return value.kind === 'Status' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function textOf(body: string, code: number): string {
  const text = body.trim().slice(0, 300);
  return text === '' ? `the server answered ${code}` : `the server answered ${code}: ${text}`;
}
