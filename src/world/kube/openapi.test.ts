import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../ports/http.ts';
import { builtInKinds } from './kinds/built-in.ts';
import { type Kind, KindRegistry } from './kinds.ts';
import { describeApi } from './openapi.ts';

const nodePool: Kind = {
  group: 'karpenter.sh',
  version: 'v1',
  kind: 'NodePool',
  plural: 'nodepools',
  singular: 'nodepool',
  listKind: 'NodePoolList',
  shortNames: [],
  categories: [],
  isNamespaced: false,
  verbs: ['create', 'get', 'list', 'patch', 'update'],
  subresources: [],
  storage: 'nodepools.karpenter.sh',
  isCustom: true,
  schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { weight: { type: 'integer' } } } },
  },
};

const kinds = new KindRegistry([...builtInKinds(), nodePool]);

function ask(path: string, accept = 'application/json'): HttpResponse | undefined {
  return describeApi(kinds, { method: 'GET', path, headers: { accept } });
}

type Loose = { readonly [key: string]: Loose } & { readonly [index: number]: Loose };

function read(path: string): Loose {
  return JSON.parse(String(ask(path)?.body));
}

function schemaOf(path: string, kind: string): Loose | undefined {
  const schemas: Loose[] = Object.values(read(path).components?.schemas ?? {});
  return schemas.find((schema) => {
    const named = schema['x-kubernetes-group-version-kind']?.[0]?.kind as unknown;
    return named === kind;
  });
}

describe('the index', () => {
  test('lists every group version under an address that holds its hash', () => {
    const paths = read('/openapi/v3').paths ?? {};
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['api/v1', 'apis/apps/v1', 'apis/karpenter.sh/v1']),
    );
    for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
      expect(serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${path}\\?hash=[0-9A-F]{64}$`));
    }
  });

  test('an addressed document may be kept forever, any other may not', () => {
    const address = String(read('/openapi/v3').paths?.['apis/apps/v1']?.serverRelativeURL);
    expect(ask(address)?.headers['cache-control']).toContain('immutable');
    expect(ask('/openapi/v3/apis/apps/v1')?.headers['cache-control']).toContain('no-cache');
  });

  test('changes when a kind is registered', () => {
    const growing = new KindRegistry(builtInKinds());
    const index = (): string =>
      String(describeApi(growing, { method: 'GET', path: '/openapi/v3', headers: {} })?.body);
    const before = index();
    expect(index()).toBe(before);
    growing.register([nodePool]);
    expect(index()).toContain('apis/karpenter.sh/v1');
  });

  test.each(['/openapi/v1', '/openapi/v3/apis/nope/v1', '/api/v1', '/openapi/v3x'])(
    '%s is left to others',
    (path) => {
      expect(ask(path)).toBeUndefined();
    },
  );

  test('the older form is answered without any types', () => {
    expect(read('/openapi/v2')).toMatchObject({ swagger: '2.0', definitions: {} });
    const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    const answer = ask('/openapi/v2', protobuf);
    expect(answer?.headers['content-type']).toBe(protobuf);
    expect(String(answer?.body)).toContain('Kubernetes');
  });

  test('who wants nothing but protobuf is refused', () => {
    const protobuf = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
    expect(ask('/openapi/v3', protobuf)?.status).toBe(406);
    expect(ask('/openapi/v3', `${protobuf}, */*`)?.status).toBe(200);
  });
});

describe('paths', () => {
  const item = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}';

  test('the patch of a kind takes fieldValidation and dryRun, which kubectl looks for', () => {
    const patch = read('/openapi/v3/apis/apps/v1').paths?.[item]?.patch;
    const names = Object.values(patch?.parameters ?? {}).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['dryRun', 'fieldValidation']));
    expect(patch?.['x-kubernetes-group-version-kind']).toEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
    });
  });

  test('strategic merge patches are offered for built-in kinds alone', () => {
    const types = (path: string, of: string): readonly string[] =>
      Object.keys(read(path).paths?.[of]?.patch?.requestBody?.content ?? {});
    const strategic = 'application/strategic-merge-patch+json';
    expect(types('/openapi/v3/apis/apps/v1', item)).toContain(strategic);
    const pools = types(
      '/openapi/v3/apis/karpenter.sh/v1',
      '/apis/karpenter.sh/v1/nodepools/{name}',
    );
    expect(pools).toContain('application/apply-patch+yaml');
    expect(pools).not.toContain(strategic);
  });

  test('a subresource of another kind carries that kind', () => {
    const scale = read('/openapi/v3/apis/apps/v1').paths?.[`${item}/scale`]?.patch;
    expect(scale?.['x-kubernetes-group-version-kind']).toEqual({
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
    });
  });

  test('only verbs of the kind are there', () => {
    const paths = read('/openapi/v3/apis/karpenter.sh/v1').paths ?? {};
    expect(Object.keys(paths['/apis/karpenter.sh/v1/nodepools/{name}'] ?? {}).sort()).toEqual([
      'get',
      'parameters',
      'patch',
      'put',
    ]);
  });
});

describe('schemas', () => {
  test('containers are merged by name, as client-side apply must know', () => {
    const schemas = read('/openapi/v3/api/v1').components?.schemas ?? {};
    expect(schemas['io.k8s.api.PodSpec']?.properties?.containers).toMatchObject({
      type: 'array',
      items: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.Container' }] },
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-list-map-keys': ['name'],
    });
    expect(schemas['io.k8s.api.PodSpec']?.properties?.volumes).toMatchObject({
      'x-kubernetes-patch-strategy': 'merge,retainKeys',
    });
  });

  test('every reference leads somewhere, in every document', () => {
    for (const path of Object.keys(read('/openapi/v3').paths ?? {})) {
      const text = String(ask(`/openapi/v3/${path}`)?.body);
      const schemas = JSON.parse(text).components.schemas;
      for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        expect(schemas, `${path} refers to ${name}`).toHaveProperty([name]);
      }
    }
  });

  test('a custom resource has its own fields and what every object has', () => {
    const schema = schemaOf('/openapi/v3/apis/karpenter.sh/v1', 'NodePool');
    expect(Object.keys(schema?.properties ?? {}).sort()).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'spec',
    ]);
    expect(schema?.properties?.spec?.properties?.weight).toEqual({ type: 'integer' });
  });

  test('what people look up most is described', () => {
    const pod = schemaOf('/openapi/v3/api/v1', 'Pod');
    expect(pod?.description).toBe('One or more containers that run together on one node.');
    expect(pod?.properties?.spec?.description).toBe('What is wanted.');
  });
});
