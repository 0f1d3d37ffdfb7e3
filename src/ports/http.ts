/**
 * HTTP as plain values: what the embedded servers answer and what our clients send. A client
 * given a handler directly speaks the same bytes as over a socket, which is how a whole system
 * runs in one process on a virtual clock.
 */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, as on the request line. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Aborted when the caller is no longer interested; ends a streamed answer. */
  readonly signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, or in pieces as they come (watches). Iterating throws if the connection breaks. */
  readonly body: string | AsyncIterable<string>;
}

/** Answers one request. Rejects only when no answer can be had: connection refused, broken, aborted. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;

/** The whole body as one string. */
export async function readBody(response: HttpResponse): Promise<string> {
  if (typeof response.body === 'string') return response.body;
  let text = '';
  for await (const piece of response.body) text += piece;
  return text;
}
