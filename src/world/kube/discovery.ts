import { createHash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '../../ports/http.ts';
import { negotiate, type Transformation } from './discovery/accept.ts';
import { aggregated } from './discovery/aggregated.ts';
import { classicBelow, coreVersions, groupList } from './discovery/classic.ts';
import type { KindRegistry } from './kinds.ts';

/**
 * Answers `/api`, `/apis` and what lies below them down to one group version, in the classic
 * and in the aggregated form. Undefined for every other request, so that the caller answers it.
 */
export function discover(kinds: KindRegistry, request: HttpRequest): HttpResponse | undefined {
  if (request.method !== 'GET') return undefined;
  const [path = ''] = request.path.split('?');
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length === 1 && (segments[0] === 'api' || segments[0] === 'apis')) {
    return discoverRoot(kinds, segments[0], request);
  }
  const body = classicBelow(kinds, segments);
  return body === undefined ? undefined : json(request, body, 'application/json');
}

/** Newest first: the aggregated forms that clients of the last years ask for. */
const aggregatedForms: readonly Transformation[] = ['v2', 'v2beta1'].map((version) => ({
  as: 'APIGroupDiscoveryList',
  group: 'apidiscovery.k8s.io',
  version,
}));

function discoverRoot(
  kinds: KindRegistry,
  root: 'api' | 'apis',
  request: HttpRequest,
): HttpResponse {
  const form = negotiate(request.headers.accept, aggregatedForms) ?? 'plain';
  if (form !== 'plain') {
    const { as, group, version } = form;
    const type = `application/json;g=${group};v=${version};as=${as}`;
    return json(request, aggregated(kinds, root, version), type);
  }
  const body = root === 'api' ? coreVersions() : groupList(kinds);
  return json(request, body, 'application/json');
}

/** With an entity tag: clients keep discovery on disk and ask only whether it has changed. */
function json(request: HttpRequest, value: object, type: string): HttpResponse {
  const body = JSON.stringify(value);
  const etag = `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"`;
  const headers = { 'content-type': type, etag, vary: 'Accept', 'cache-control': 'public' };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers, body };
}
