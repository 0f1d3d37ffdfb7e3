import { describe, expect, test } from 'vitest';
import { type Api, startApi } from '../../../../test/kube/api.ts';
import { answerReview, readReview } from '../../../api/conversion/review.ts';
import { customResourceDefinitions } from '../../../api/crds.ts';
import { withV1beta1 } from '../../../api/v1beta1/definitions.ts';
import type { JsonObject } from '../json.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const v1 = '/apis/karpenter.sh/v1/nodepools';
const v1beta1 = '/apis/karpenter.sh/v1beta1/nodepools';

async function convert(_config: JsonObject, review: JsonObject): Promise<JsonObject> {
  const question = readReview(review);
  if (question === undefined) throw new Error('no review');
  return answerReview(question, { expireAfterOf: () => undefined }) as JsonObject;
}

async function withPools(askWebhook = convert): Promise<Api> {
  const api = startApi({ askWebhook });
  const address = { kind: 'url', url: 'https://127.0.0.1:8443' } as const;
  for (const crd of withV1beta1(customResourceDefinitions(), address)) {
    const { status, body } = await api.post(definitions, crd);
    expect([status, body.message]).toEqual([201, undefined]);
  }
  return api;
}

function betaPool(name: string, more: object = {}): object {
  return {
    apiVersion: 'karpenter.sh/v1beta1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: { spec: { requirements: [], nodeClassRef: { name: 'default' } } },
      ...more,
    },
  };
}

function v1Pool(name: string, template: object = {}): object {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: { template: { spec: { requirements: [], nodeClassRef, ...template } } },
  };
}

describe('an object written in an old version', () => {
  test('gets the defaults of that version and is kept as the stored one', async () => {
    const api = await withPools();
    const { status, body, headers } = await api.post(v1beta1, betaPool('a'));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      apiVersion: 'karpenter.sh/v1beta1',
      spec: { disruption: { consolidationPolicy: 'WhenUnderutilized', expireAfter: '720h' } },
    });
    expect(headers.warning).toContain('karpenter.sh/v1beta1 NodePool is deprecated');
    const read = await api.get(`${v1}/a`);
    expect(read.headers.warning).toBeUndefined();
    expect(read.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
    expect(read.body.spec).toMatchObject({
      template: { spec: { expireAfter: '720h', nodeClassRef: { kind: 'EC2NodeClass' } } },
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
    });
  });

  test('is checked by the rules of that version', async () => {
    const api = await withPools();
    const wrong = betaPool('a', { disruption: { consolidationPolicy: 'Balanced' } });
    const { status, body } = await api.post(v1beta1, wrong);
    expect(status).toBe(422);
    expect(body.message).toContain('spec.disruption.consolidationPolicy: Unsupported value');
  });

  test('cannot take the name of another', async () => {
    const api = await withPools();
    await api.post(v1, v1Pool('a'));
    expect((await api.post(v1beta1, betaPool('a'))).body.reason).toBe('AlreadyExists');
  });

  test('is applied and changed like any other', async () => {
    const api = await withPools();
    const applied = await api.apply(`${v1beta1}/a`, 'tester', betaPool('a', { weight: 5 }));
    expect(applied.status).toBe(201);
    const { body } = await api.merge(`${v1beta1}/a`, { spec: { weight: 7 } });
    expect(body).toMatchObject({ spec: { weight: 7 }, metadata: { generation: 2 } });
    expect((await api.get(`${v1}/a`)).body).toMatchObject({
      spec: { weight: 7 },
      metadata: { generation: 2 },
    });
  });
});

describe('an object of the stored version', () => {
  test('keeps what the old version cannot say when somebody changes it there', async () => {
    const api = await withPools();
    await api.post(v1, v1Pool('a', { terminationGracePeriod: '1h' }));
    const { status } = await api.merge(`${v1beta1}/a`, { metadata: { labels: { team: 'web' } } });
    expect(status).toBe(200);
    const { body } = await api.get(`${v1}/a`);
    expect(body.metadata).toMatchObject({ labels: { team: 'web' }, generation: 1 });
    expect(body.metadata.annotations).not.toHaveProperty('compatibility.karpenter.sh/v1-fields');
    expect(body.spec.template.spec.terminationGracePeriod).toBe('1h');
  });

  test('is listed, watched and deleted in the old version', async () => {
    const api = await withPools();
    await api.post(v1, v1Pool('a'));
    const list = await api.get(v1beta1);
    expect(list.body).toMatchObject({
      kind: 'NodePoolList',
      apiVersion: 'karpenter.sh/v1beta1',
      items: [
        { apiVersion: 'karpenter.sh/v1beta1', spec: { disruption: { expireAfter: '720h' } } },
      ],
    });
    const watch = await api.watch(
      `${v1beta1}?resourceVersion=${list.body.metadata.resourceVersion}`,
    );
    await api.merge(`${v1}/a`, { spec: { weight: 3 } });
    await api.delete(`${v1beta1}/a`);
    const events = await watch.events();
    expect(events.map(({ type, object }) => [type, object.apiVersion, object.spec.weight])).toEqual(
      [
        ['MODIFIED', 'karpenter.sh/v1beta1', 3],
        ['DELETED', 'karpenter.sh/v1beta1', 3],
      ],
    );
    watch.stop();
    expect((await api.get(`${v1}/a`)).status).toBe(404);
  });

  test('goes with its last finalizer, whichever version took it away', async () => {
    const api = await withPools();
    const held = {
      ...(v1Pool('a') as { spec: object }),
      metadata: { name: 'a', finalizers: ['x/y'] },
    };
    await api.post(v1, held);
    await api.delete(`${v1}/a`);
    expect((await api.merge(`${v1beta1}/a`, { metadata: { finalizers: [] } })).status).toBe(200);
    expect((await api.get(`${v1}/a`)).status).toBe(404);
  });

  test('changed by two at once is changed by both', async () => {
    const api = await withPools();
    await api.post(v1, v1Pool('a'));
    const [beta] = await Promise.all([
      api.merge(`${v1beta1}/a`, { metadata: { labels: { by: 'beta' } } }),
      api.merge(`${v1}/a`, { spec: { weight: 9 } }),
    ]);
    expect(beta.status).toBe(200);
    expect((await api.get(`${v1}/a`)).body).toMatchObject({
      metadata: { labels: { by: 'beta' } },
      spec: { weight: 9 },
    });
  });
});

test('a webhook that does not answer is told about, and the stored version goes on', async () => {
  const api = await withPools(async () => {
    throw new Error('connect ECONNREFUSED');
  });
  await api.post(v1, v1Pool('a'));
  const { status, body } = await api.get(`${v1beta1}/a`);
  expect(status).toBe(500);
  expect(body.message).toBe(
    'Internal error occurred: conversion webhook for karpenter.sh/v1beta1, Kind=NodePool failed: connect ECONNREFUSED',
  );
  expect((await api.get(`${v1}/a`)).status).toBe(200);
});

test.each([
  { name: 'no way to its webhook', conversion: { strategy: 'Webhook' } },
  {
    name: 'two ways to its webhook',
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: 'https://127.0.0.1', service: { name: 'a', namespace: 'b' } },
      },
    },
  },
  { name: 'an unknown strategy', conversion: { strategy: 'Magic' } },
])('a definition with $name is refused', async ({ conversion }) => {
  const api = startApi();
  const [crd] = customResourceDefinitions();
  const { status } = await api.post(definitions, { ...crd, spec: { ...crd?.spec, conversion } });
  expect(status).toBe(422);
});
