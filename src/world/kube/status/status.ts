import type { HttpResponse } from '../../../ports/http.ts';
import type { Json, JsonObject } from '../json.ts';
import { qualifiedPlural } from '../kinds.ts';
import type { FieldError } from './field-error.ts';

/** A refusal that the client is told about as a `metav1.Status`. The one error of this server. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: number;
  readonly reason: string;
  readonly details: JsonObject | undefined;
  /** What the client should know besides; set by whoever finds it out. */
  warnings: readonly string[] = [];

  constructor(code: number, reason: string, message: string, details?: JsonObject) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  /** The `Status` object that goes over the wire. */
  toObject(): JsonObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }

  toResponse(): HttpResponse {
    const retryAfter = this.details?.retryAfterSeconds;
    return {
      status: this.code,
      headers: {
        'content-type': 'application/json',
        ...(typeof retryAfter === 'number' ? { 'retry-after': String(retryAfter) } : {}),
        ...(this.warnings.length === 0 ? {} : { warning: warningHeader(this.warnings) }),
      },
      body: JSON.stringify(this.toObject()),
    };
  }
}

/** The real server cuts warnings that are more than this in all, and stops where they were cut. */
const mostWarningText = 4096;
const longestCutWarning = 256;

/** Warnings as they stand in the header of an answer. */
export function warningHeader(warnings: readonly string[]): string {
  const total = warnings.reduce((sum, text) => sum + text.length, 0);
  const limit = total > mostWarningText ? longestCutWarning : Infinity;
  let written = 0;
  const kept: string[] = [];
  for (const text of warnings) {
    if (written >= mostWarningText) break;
    written += text.length;
    kept.push(`299 - ${JSON.stringify(text.slice(0, limit))}`);
  }
  return kept.join(', ');
}

/** Does the work; when it is refused, the client is told of the warnings all the same. */
export function warning<T>(warnings: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StatusError) error.warnings = [...warnings, ...error.warnings];
    throw error;
  }
}

/** A plural and its group, which messages and details name. */
interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

export function notFound(kind: ResourceName, name: string): StatusError {
  const message = `${qualifiedPlural(kind)} "${name}" not found`;
  return new StatusError(404, 'NotFound', message, detailsOf(kind, name));
}

export function alreadyExists(kind: ResourceName, name: string): StatusError {
  const message = `${qualifiedPlural(kind)} "${name}" already exists`;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(kind, name));
}

export function conflict(kind: ResourceName, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualifiedPlural(kind)} "${name}": ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(kind, name));
}

export function staleVersion(kind: ResourceName, name: string): StatusError {
  return conflict(
    kind,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

export function forbidden(kind: ResourceName, name: string, why: string): StatusError {
  const message = `${qualifiedPlural(kind)} "${name}" is forbidden: ${why}`;
  return new StatusError(403, 'Forbidden', message, detailsOf(kind, name));
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

export function internalError(why: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${why}`, {
    causes: [{ message: why }],
  });
}

export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const types = accepted.join(', ');
  return new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${types}`,
  );
}

/** 422 with one cause per error; several are listed in brackets, repeats once. */
export function invalidObject(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${qualified} "${name}" is invalid: ${list}`, {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.kind,
    causes: errors.map(causeOf),
  });
}

function causeOf(error: FieldError): Json {
  return { reason: error.type, message: error.message, field: error.field };
}

function detailsOf(kind: ResourceName, name: string): JsonObject {
  return {
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.plural,
  };
}
