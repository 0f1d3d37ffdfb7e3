import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../ports/http.ts';
import { compareVersions } from './discovery/version-order.ts';
import { discover } from './discovery.ts';
import { builtInKinds } from './kinds/built-in.ts';
import { type Kind, KindRegistry } from './kinds.ts';

const nodePools: Kind = {
  group: 'karpenter.sh',
  version: 'v1',
  kind: 'NodePool',
  plural: 'nodepools',
  singular: 'nodepool',
  listKind: 'NodePoolList',
  shortNames: ['np'],
  categories: ['karpenter'],
  isNamespaced: false,
  verbs: ['get', 'list'],
  subresources: [{ name: 'status', verbs: ['get', 'patch', 'update'] }],
  storage: 'nodepools.karpenter.sh',
  isCustom: true,
};

const aggregatedV2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const asKubectlAsks = `${aggregatedV2},${aggregatedV2.replace('v=v2', 'v=v2beta1')},application/json`;

function registry(): KindRegistry {
  return new KindRegistry([...builtInKinds(), nodePools]);
}

function ask(path: string, headers: Record<string, string> = {}): HttpResponse | undefined {
  return discover(registry(), { method: 'GET', path, headers });
}

function body(path: string, accept?: string): Record<string, unknown> {
  const response = ask(path, accept === undefined ? {} : { accept });
  return JSON.parse(String(response?.body));
}

describe('classic discovery', () => {
  test('/api names the one version of the core group', () => {
    expect(body('/api')).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
  });

  test('/apis lists every group once with its preferred version', () => {
    const groups = body('/apis').groups as { name: string; preferredVersion: object }[];
    expect(groups.map((group) => group.name)).toContain('apps');
    expect(new Set(groups.map((group) => group.name)).size).toBe(groups.length);
    expect(groups.find((group) => group.name === 'karpenter.sh')?.preferredVersion).toEqual({
      groupVersion: 'karpenter.sh/v1',
      version: 'v1',
    });
  });

  test('/apis/<group> describes one group', () => {
    expect(body('/apis/apps')).toMatchObject({
      kind: 'APIGroup',
      name: 'apps',
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
    });
  });

  test('a group version lists resources and subresources with their own kinds', () => {
    const resources = body('/apis/apps/v1').resources as { name: string }[];
    expect(resources.find((each) => each.name === 'deployments')).toMatchObject({
      singularName: 'deployment',
      namespaced: true,
      kind: 'Deployment',
      shortNames: ['deploy'],
      categories: ['all'],
    });
    expect(resources.find((each) => each.name === 'deployments/scale')).toEqual({
      name: 'deployments/scale',
      singularName: '',
      namespaced: true,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
  });

  test.each([
    '/apis/nope',
    '/apis/apps/v9',
    '/api/v1/pods',
    '/version',
    '/apis/apps/v1/deployments',
  ])('%s is left to others', (path) => {
    expect(ask(path)).toBeUndefined();
  });

  test('only reading is discovery', () => {
    expect(discover(registry(), { method: 'POST', path: '/api', headers: {} })).toBeUndefined();
  });
});

describe('aggregated discovery', () => {
  test('is chosen when the client names it first, and says so in its content type', () => {
    const response = ask('/apis', { accept: asKubectlAsks });
    expect(response?.headers['content-type']).toBe(aggregatedV2);
    expect(JSON.parse(String(response?.body)).apiVersion).toBe('apidiscovery.k8s.io/v2');
  });

  test('older clients get the beta form', () => {
    const accept = `${aggregatedV2.replace('v=v2', 'v=v2beta1')},application/json`;
    expect(body('/api', accept).apiVersion).toBe('apidiscovery.k8s.io/v2beta1');
  });

  test('a form that is not on offer falls back to the classic one', () => {
    const accept = `${aggregatedV2.replace('v=v2', 'v=v3')},application/json`;
    expect(body('/apis', accept).kind).toBe('APIGroupList');
  });

  test('/api holds the core group, /apis all others, custom resources included', () => {
    const core = body('/api', asKubectlAsks).items as { versions: { resources: object[] }[] }[];
    expect(core).toHaveLength(1);
    expect(core[0]?.versions[0]?.resources).toContainEqual(
      expect.objectContaining({
        resource: 'pods',
        scope: 'Namespaced',
        responseKind: { group: '', version: 'v1', kind: 'Pod' },
      }),
    );
    const others = body('/apis', asKubectlAsks).items as object[];
    expect(others).toContainEqual({
      metadata: { name: 'karpenter.sh' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            {
              resource: 'nodepools',
              responseKind: { group: 'karpenter.sh', version: 'v1', kind: 'NodePool' },
              scope: 'Cluster',
              singularResource: 'nodepool',
              verbs: ['get', 'list'],
              shortNames: ['np'],
              categories: ['karpenter'],
              subresources: [
                {
                  subresource: 'status',
                  responseKind: { group: 'karpenter.sh', version: 'v1', kind: 'NodePool' },
                  verbs: ['get', 'patch', 'update'],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  test('a client that has the current answer is told so', () => {
    const etag = ask('/apis')?.headers.etag ?? '';
    expect(ask('/apis', { 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });
    expect(ask('/apis', { 'if-none-match': '"old"' })?.status).toBe(200);
  });
});

test('versions are preferred stable, then beta, then alpha, the newer first', () => {
  const sorted = ['foo', 'v1alpha1', 'v1', 'v1beta2', 'v10', 'v1beta10', 'v2', 'bar'].sort(
    compareVersions,
  );
  expect(sorted).toEqual(['v10', 'v2', 'v1', 'v1beta10', 'v1beta2', 'v1alpha1', 'bar', 'foo']);
});
