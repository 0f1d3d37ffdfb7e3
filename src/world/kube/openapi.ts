import { createHash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '../../ports/http.ts';
import { negotiate } from './discovery/accept.ts';
import { groupNames, servedIn, versionsOf } from './discovery/served.ts';
import type { KindRegistry } from './kinds.ts';
import { describeGroupVersion } from './openapi/document.ts';

/**
 * Answers `/openapi/v3`, the documents below it, and `/openapi/v2`; undefined for every other
 * request.
 */
export function describeApi(kinds: KindRegistry, request: HttpRequest): HttpResponse | undefined {
  if (request.method !== 'GET') return undefined;
  const [path = '', query = ''] = request.path.split('?');
  if (path === '/openapi/v2') return describeNothing(request);
  if (path !== '/openapi/v3' && !path.startsWith('/openapi/v3/')) return undefined;
  if (negotiate(request.headers.accept, []) === undefined) return notAcceptable();
  const documents = documentsOf(kinds);
  if (path === '/openapi/v3') return json(JSON.stringify(index(documents)));
  const document = documents.get(path.slice('/openapi/v3/'.length));
  if (document === undefined) return undefined;
  // The address holds the content's hash, so that what was fetched once is good forever.
  const isAddressed = new URLSearchParams(query).get('hash') === document.hash;
  return json(document.body, {
    etag: `"${document.hash}"`,
    'cache-control': isAddressed ? 'public, immutable' : 'no-cache, private',
  });
}

const protobufV2 = /^application\/com\.github\.proto-openapi\.spec\.v2/;

/**
 * A document of the older form that knows no type. kubectl asks for it before it sends a List,
 * and takes an unknown type as valid; all else that it wants to know it finds in v3.
 */
function describeNothing(request: HttpRequest): HttpResponse {
  if (protobufV2.test(request.headers.accept ?? '')) {
    const type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    return { status: 200, headers: { 'content-type': type, vary: 'Accept' }, body: emptyProtobuf };
  }
  const info = { title: 'Kubernetes', version: 'v1' };
  return json(JSON.stringify({ swagger: '2.0', info, paths: {}, definitions: {} }));
}

/** Field 1: `2.0`. Field 2: a message with title and version. */
const emptyProtobuf = '\n\x032.0\x12\x10\n\nKubernetes\x12\x02v1';

interface Document {
  readonly body: string;
  readonly hash: string;
}

type Documents = ReadonlyMap<string, Document>;

const cache = new WeakMap<
  KindRegistry,
  { readonly revision: number; readonly documents: Documents }
>();

/** Written anew when kinds come or go. */
function documentsOf(kinds: KindRegistry): Documents {
  const known = cache.get(kinds);
  if (known?.revision === kinds.revision) return known.documents;
  const documents = new Map<string, Document>();
  for (const group of ['', ...groupNames(kinds)]) {
    for (const version of versionsOf(kinds, group)) {
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      const body = JSON.stringify(describeGroupVersion(servedIn(kinds, group, version)));
      const hash = createHash('sha256').update(body).digest('hex').toUpperCase();
      documents.set(path, { body, hash });
    }
  }
  cache.set(kinds, { revision: kinds.revision, documents });
  return documents;
}

function index(documents: Documents): object {
  const paths = [...documents].map(([path, { hash }]) => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` },
  ]);
  return { paths: Object.fromEntries(paths) };
}

function json(body: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const common = { 'content-type': 'application/json', vary: 'Accept' };
  return { status: 200, headers: { ...common, ...headers }, body };
}

function notAcceptable(): HttpResponse {
  return {
    status: 406,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'only application/json is offered',
      reason: 'NotAcceptable',
      code: 406,
    }),
  };
}
