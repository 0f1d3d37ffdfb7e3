import { describe, expect, test } from 'vitest';
import { type Api, namesOf, startApi } from '../../../../test/kube/api.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const pools = '/apis/karpenter.sh/v1/nodepools';

const budgetSchema = {
  type: 'object',
  properties: { nodes: { type: 'string', pattern: '^((100|[0-9]{1,2})%|[0-9]+)$' } },
};

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      properties: {
        weight: { type: 'integer', minimum: 1, maximum: 100 },
        policy: { type: 'string', enum: ['WhenEmpty', 'Always'], default: 'Always' },
        budgets: { type: 'array', maxItems: 2, items: budgetSchema, default: [{ nodes: '10%' }] },
        keys: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        size: { 'x-kubernetes-int-or-string': true },
        extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        limits: { type: 'object', additionalProperties: { type: 'string' } },
        replicas: { type: 'integer' },
      },
    },
    status: { type: 'object', properties: { nodes: { type: 'integer' } } },
  },
};

function aDefinition(more: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'nodepools.karpenter.sh' },
    spec: {
      group: 'karpenter.sh',
      scope: 'Cluster',
      names: { plural: 'nodepools', kind: 'NodePool', shortNames: ['np'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          selectableFields: [{ jsonPath: '.spec.policy' }],
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.nodes' },
          },
        },
        { name: 'v1beta1', served: true, storage: false, schema: { openAPIV3Schema: schema } },
      ],
      ...more,
    },
  };
}

function aPool(name: string, spec: object = {}): object {
  return { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name }, spec };
}

async function withPools(): Promise<Api> {
  const api = startApi();
  expect((await api.post(definitions, aDefinition())).status).toBe(201);
  return api;
}

describe('a definition', () => {
  test('is established at once and serves every version of the same objects', async () => {
    const api = await withPools();
    const { body } = await api.get(`${definitions}/nodepools.karpenter.sh`);
    expect(body.spec.names).toMatchObject({ singular: 'nodepool', listKind: 'NodePoolList' });
    expect(body.status.conditions).toMatchObject([
      { type: 'NamesAccepted', status: 'True' },
      { type: 'Established', status: 'True' },
    ]);
    await api.post(pools, aPool('a'));
    const beta = await api.get('/apis/karpenter.sh/v1beta1/nodepools/a');
    expect(beta.body).toMatchObject({ apiVersion: 'karpenter.sh/v1beta1', kind: 'NodePool' });
  });

  test('takes its objects with it, after their finalizers', async () => {
    const api = await withPools();
    const held = aPool('held') as { metadata: object };
    await api.post(pools, { ...held, metadata: { name: 'held', finalizers: ['x/y'] } });
    await api.post(pools, aPool('free'));
    await api.delete(`${definitions}/nodepools.karpenter.sh`);
    const { body } = await api.get(pools);
    expect(body.items).toMatchObject([{ metadata: { name: 'held' } }]);
    const late = await api.post(pools, aPool('late'));
    expect(late.body.message).toBe(
      'create not allowed while custom resource definition is terminating',
    );
    await api.merge(`${pools}/held`, { metadata: { finalizers: [] } });
    expect((await api.get(`${definitions}/nodepools.karpenter.sh`)).status).toBe(404);
    expect((await api.get(pools)).status).toBe(404);
  });

  test('must be named after its plural and group', async () => {
    const { body } = await startApi().post(definitions, {
      ...aDefinition(),
      metadata: { name: 'pools' },
    });
    expect(body.message).toContain('must be spec.names.plural+"."+spec.group');
  });
});

describe('a custom resource', () => {
  test('gets defaults, loses unknown fields and keeps those it is told to keep', async () => {
    const api = await withPools();
    const extra = { deep: { down: 1 } };
    const sent = { ...aPool('a', { colour: 'red', extra, size: '5%' }), status: { nodes: 3 } };
    const { body, headers } = await api.post(pools, sent);
    expect(body.spec).toEqual({ policy: 'Always', budgets: [{ nodes: '10%' }], extra, size: '5%' });
    expect(body.status).toBeUndefined();
    expect(headers.warning).toContain('unknown field \\"spec.colour\\"');
  });

  test.each([
    {
      spec: { budgets: [{ nodes: '110%' }] },
      message: `spec.budgets[0].nodes: Invalid value: "110%": spec.budgets[0].nodes in body should match '^((100|[0-9]{1,2})%|[0-9]+)$'`,
    },
    {
      spec: { weight: 0 },
      message:
        'spec.weight: Invalid value: 0: spec.weight in body should be greater than or equal to 1',
    },
    {
      spec: { weight: 'heavy' },
      message:
        'spec.weight: Invalid value: "string": spec.weight in body must be of type integer: "string"',
    },
    {
      spec: { policy: 'Never' },
      message: 'spec.policy: Unsupported value: "Never": supported values: "WhenEmpty", "Always"',
    },
    { spec: { keys: ['a', 'b', 'a'] }, message: 'spec.keys[2]: Duplicate value: "a"' },
    {
      spec: { budgets: [{}, {}, {}] },
      message: 'spec.budgets: Too many: 3: must have at most 2 items',
    },
    {
      spec: { limits: { cpu: 5 } },
      message:
        'spec.limits.cpu: Invalid value: "integer": spec.limits.cpu in body must be of type string: "integer"',
    },
    {
      spec: { size: true },
      message:
        'spec.size: Invalid value: "boolean": spec.size in body must be of type integer,string: "boolean"',
    },
  ])('is refused: $message', async ({ spec, message }) => {
    const api = await withPools();
    const { status, body } = await api.post(pools, aPool('x', spec));
    expect(status).toBe(422);
    expect(body.message).toBe(`NodePool.karpenter.sh "x" is invalid: ${message}`);
  });

  test('without what is required is refused', async () => {
    const api = await withPools();
    const { spec: _spec, ...pool } = aPool('x') as { spec: object };
    const { body } = await api.post(pools, pool);
    expect(body.message).toBe('NodePool.karpenter.sh "x" is invalid: spec: Required value');
  });

  test('may keep what was wrong before the schema became stricter', async () => {
    const api = await withPools();
    await api.post(pools, aPool('old', { weight: 50 }));
    const stricter = structuredClone(aDefinition()) as { spec: { versions: object[] } };
    const path =
      '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/weight/maximum';
    const patch = [{ op: 'replace', path, value: 10 }];
    expect(stricter.spec.versions).toHaveLength(2);
    await api.json(`${definitions}/nodepools.karpenter.sh`, patch);
    const labelled = await api.merge(`${pools}/old`, { metadata: { labels: { a: 'b' } } });
    expect(labelled.status).toBe(200);
    expect((await api.merge(`${pools}/old`, { spec: { weight: 60 } })).status).toBe(422);
  });

  test('is found by the fields that its definition lets select', async () => {
    const api = await withPools();
    await api.post(pools, aPool('a', { policy: 'WhenEmpty' }));
    await api.post(pools, aPool('b'));
    const { body } = await api.get(`${pools}?fieldSelector=spec.policy%3DAlways`);
    expect(namesOf(body)).toEqual(['b']);
    const other = await api.get(`${pools}?fieldSelector=spec.weight%3D1`);
    expect(other.body.message).toBe('field label not supported: spec.weight');
  });

  test('takes no strategic merge patch', async () => {
    const api = await withPools();
    await api.post(pools, aPool('a'));
    const { status, body } = await api.strategic(`${pools}/a`, { spec: { weight: 2 } });
    expect(status).toBe(415);
    expect(body.reason).toBe('UnsupportedMediaType');
  });

  test('needs the version it is based on for a PUT', async () => {
    const api = await withPools();
    await api.post(pools, aPool('a'));
    const { body } = await api.put(`${pools}/a`, aPool('a', { weight: 2 }));
    expect(body.message).toContain('metadata.resourceVersion: Invalid value: 0: must be specified');
  });

  test('has a status and a scale of its own', async () => {
    const api = await withPools();
    await api.post(pools, aPool('a', { replicas: 2 }));
    await api.merge(`${pools}/a/status`, { status: { nodes: 1 } });
    const { body } = await api.merge(`${pools}/a/scale`, { spec: { replicas: 7 } });
    expect(body).toMatchObject({ kind: 'Scale', spec: { replicas: 7 }, status: { replicas: 1 } });
    expect((await api.get(`${pools}/a`)).body).toMatchObject({
      spec: { replicas: 7 },
      status: { nodes: 1 },
      metadata: { generation: 2 },
    });
  });
});
