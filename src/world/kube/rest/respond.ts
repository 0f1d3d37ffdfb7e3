import type { HttpResponse } from '../../../ports/http.ts';
import type { ApiObject, JsonObject } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { warningHeader } from '../status/status.ts';

export function json(status: number, body: string, warnings: readonly string[] = []): HttpResponse {
  return withWarnings({ status, headers: { 'content-type': 'application/json' }, body }, warnings);
}

/** The answer with further warnings before those that it carries. */
export function withWarnings(response: HttpResponse, warnings: readonly string[]): HttpResponse {
  if (warnings.length === 0) return response;
  const { warning } = response.headers;
  const all = [warningHeader(warnings), ...(warning === undefined ? [] : [warning])].join(', ');
  return { ...response, headers: { ...response.headers, warning: all } };
}

export function plainText(status: number, body: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

/** What the real server says of a path that it does not serve. */
export function pageNotFound(): HttpResponse {
  return plainText(404, '404 page not found\n');
}

export function success(status: number, details?: JsonObject): HttpResponse {
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    ...(details === undefined ? {} : { details }),
    ...(details === undefined ? { code: status } : {}),
  };
  return json(status, JSON.stringify(body));
}

/** The answer to a deletion that took effect at once. */
export function deleted(kind: Kind, object: ApiObject): HttpResponse {
  return success(200, {
    name: object.metadata.name,
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.plural,
    uid: object.metadata.uid,
  });
}
