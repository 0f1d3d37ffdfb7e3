import type { HttpRequest } from '../../../ports/http.ts';
import type { FieldValidation } from '../decode/object.ts';
import type { Kind, KindRegistry } from '../kinds.ts';
import type { ObjectName, WriteOptions } from '../objects/state.ts';
import { badRequest, notFound } from '../status/status.ts';

/** One request, understood: what it addresses and with which parameters. */
export interface Call {
  readonly request: HttpRequest;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds and for all namespaces. */
  readonly namespace: string;
  /** Undefined for the collection. */
  readonly name: string | undefined;
  /** Empty for the object itself. */
  readonly subresource: string;
}

export interface ApiPath {
  readonly group: string;
  readonly version: string;
  /** What follows the version. */
  readonly rest: readonly string[];
}

/** Splits `/api/v1/…` and `/apis/group/version/…`; undefined for every other path. */
export function parseApiPath(path: string): ApiPath | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const decoded = parts.map((part) => decodeURIComponent(part));
  const [root, first, second, ...others] = decoded;
  if (root === 'api' && first !== undefined) {
    return { group: '', version: first, rest: decoded.slice(2) };
  }
  if (root !== 'apis' || first === undefined || second === undefined) return undefined;
  return { group: first, version: second, rest: others };
}

/** What a path addresses; undefined when nothing is served there. */
export function resolveCall(
  kinds: KindRegistry,
  request: HttpRequest,
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
): Call | undefined {
  const parsed = parseApiPath(path);
  if (parsed === undefined) return undefined;
  const { namespace, parts } = splitNamespace(parsed.rest);
  const [plural, name, subresource = '', ...more] = parts;
  const kind = kinds.find(parsed.group, parsed.version, plural ?? '');
  if (kind === undefined || more.length > 0) return undefined;
  if (namespace !== '' && !kind.isNamespaced) return undefined;
  if (name !== undefined && kind.isNamespaced && namespace === '') return undefined;
  const hasSubresource =
    subresource === '' || kind.subresources.some((one) => one.name === subresource);
  if (!hasSubresource && kind.isCustom) throw notFound(kind, name ?? '');
  if (!hasSubresource) return undefined;
  return { request, method: request.method, query, kind, namespace, name, subresource };
}

/** `namespaces/x/pods/…` is about pods in x, `namespaces/x` and `namespaces/x/status` about x. */
function splitNamespace(rest: readonly string[]): {
  readonly namespace: string;
  readonly parts: readonly string[];
} {
  const [first, namespace, third] = rest;
  const isAboutNamespace = third === undefined || third === 'status' || third === 'finalize';
  if (first !== 'namespaces' || namespace === undefined || isAboutNamespace) {
    return { namespace: '', parts: rest };
  }
  return { namespace, parts: rest.slice(2) };
}

export function objectName(call: Call): ObjectName {
  return { namespace: call.namespace, name: call.name ?? '' };
}

export function writeOptions(call: Call): WriteOptions {
  return {
    isDryRun: isDryRun(call.query),
    fieldManager: call.query.get('fieldManager') || userAgentName(call.request),
    subresource: call.subresource,
  };
}

export function isDryRun(query: URLSearchParams): boolean {
  const value = query.get('dryRun');
  if (value === null || value === '') return false;
  if (value === 'All') return true;
  throw badRequest(`dryRun: Unsupported value: "${value}": supported values: "All"`);
}

/** The part of the user agent before the version: `kubectl`. */
function userAgentName(request: HttpRequest): string {
  const [name = ''] = (request.headers['user-agent'] ?? '').split('/');
  return name.slice(0, 128) || 'unknown';
}

export function fieldValidation(query: URLSearchParams): FieldValidation {
  const value = query.get('fieldValidation') || 'Warn';
  if (value === 'Strict' || value === 'Warn' || value === 'Ignore') return value;
  throw badRequest(
    `fieldValidation: Unsupported value: "${value}": supported values: "Ignore", "Strict", "Warn"`,
  );
}
