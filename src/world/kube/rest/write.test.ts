import { describe, expect, test } from 'vitest';
import {
  aConfigMap,
  aDeployment,
  aPod,
  configMaps,
  deployments,
  pods,
  startApi,
} from '../../../../test/kube/api.ts';

describe('create', () => {
  test('a pod gets its identity, its defaults and a pending status', async () => {
    const api = startApi();
    const { status, body } = await api.post(pods, aPod('web'));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: {
        name: 'web',
        namespace: 'default',
        generation: 1,
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: {
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        serviceAccountName: 'default',
        priority: 0,
        tolerations: [
          { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute', tolerationSeconds: 300 },
          { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', tolerationSeconds: 300 },
        ],
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
    expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('quantities come back in canonical form and limits become requests', async () => {
    const api = startApi();
    const resources = { requests: { cpu: '0.5' }, limits: { cpu: '1000m', memory: '1024Mi' } };
    const spec = { containers: [{ name: 'app', image: 'app', resources }] };
    const { body } = await api.post(pods, aPod('web', { spec }));
    expect(body.spec.containers[0]).toMatchObject({
      imagePullPolicy: 'Always',
      resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
    });
  });

  test('generateName makes names that differ', async () => {
    const api = startApi();
    const pod = { ...aPod(''), metadata: { generateName: 'web-' } };
    const names = [await api.post(pods, pod), await api.post(pods, pod)].map(
      ({ body }) => body.metadata.name,
    );
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^web-[a-z0-9]{5}$/);
  });

  test('what is refused, is refused in the words of the real server', async () => {
    const api = startApi();
    await api.post(pods, aPod('web'));
    const twice = await api.post(pods, aPod('web'));
    expect(twice).toMatchObject({
      status: 409,
      body: { reason: 'AlreadyExists', message: 'pods "web" already exists' },
    });
    const nowhere = await api.post('/api/v1/namespaces/nowhere/pods', aPod('web'));
    expect(nowhere).toMatchObject({
      status: 404,
      body: { message: 'namespaces "nowhere" not found' },
    });
    const empty = await api.post(pods, { ...aPod('empty'), spec: {} });
    expect(empty).toMatchObject({
      status: 422,
      body: { message: 'Pod "empty" is invalid: spec.containers: Required value' },
    });
    const class_ = await api.post(pods, aPod('vip', { spec: { priorityClassName: 'nope' } }));
    expect(class_).toMatchObject({
      status: 403,
      body: { message: 'pods "vip" is forbidden: no PriorityClass with name nope was found' },
    });
  });

  test('a dry run answers the same and stores nothing', async () => {
    const api = startApi();
    expect((await api.post(`${pods}?dryRun=All`, aPod('web'))).status).toBe(201);
    expect((await api.get(`${pods}/web`)).status).toBe(404);
  });

  test.each([
    { mode: 'Strict', status: 400, warning: undefined },
    { mode: 'Warn', status: 201, warning: '299 - "unknown field \\"spec.colour\\""' },
    { mode: 'Ignore', status: 201, warning: undefined },
  ])('fieldValidation=$mode of an unknown field', async ({ mode, status, warning }) => {
    const api = startApi();
    const answer = await api.post(
      `${pods}?fieldValidation=${mode}`,
      aPod('web', { spec: { colour: 'red' } }),
    );
    expect(answer.status).toBe(status);
    expect(answer.headers.warning).toBe(warning);
    if (mode === 'Strict')
      expect(answer.body.message).toContain('strict decoding error: unknown field "spec.colour"');
    else expect(answer.body.spec.colour).toBeUndefined();
  });

  test('a field given twice is found when somebody asks', async () => {
    const api = startApi();
    const text =
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"x":"1","x":"2"}}';
    const { body } = await api.post(`${configMaps}?fieldValidation=Strict`, text);
    expect(body.message).toContain('duplicate field "data.x"');
  });
});

describe('update', () => {
  test('generation rises with the spec, not with labels or status', async () => {
    const api = startApi();
    await api.post(deployments, aDeployment('web'));
    const generation = async (): Promise<number> =>
      (await api.get(`${deployments}/web`)).body.metadata.generation;
    await api.merge(`${deployments}/web`, { metadata: { labels: { a: 'b' } } });
    await api.merge(`${deployments}/web/status`, { status: { replicas: 1 } });
    expect(await generation()).toBe(1);
    await api.merge(`${deployments}/web`, { spec: { replicas: 3 } });
    expect(await generation()).toBe(2);
  });

  test('the object path leaves the status alone and the status path everything else', async () => {
    const api = startApi();
    await api.post(deployments, aDeployment('web'));
    await api.merge(`${deployments}/web`, { status: { replicas: 5 } });
    expect((await api.get(`${deployments}/web`)).body.status).toEqual({});
    const change = {
      spec: { replicas: 9 },
      metadata: { labels: { a: 'b' } },
      status: { replicas: 5 },
    };
    const { body } = await api.merge(`${deployments}/web/status`, change);
    expect(body.status).toEqual({ replicas: 5 });
    expect(body.spec.replicas).toBe(1);
    expect(body.metadata.labels).toBeUndefined();
  });

  test('a stale PUT is a conflict', async () => {
    const api = startApi();
    const { body } = await api.post(configMaps, aConfigMap('a', { x: '1' }));
    expect((await api.put(`${configMaps}/a`, { ...body, data: { x: '2' } })).status).toBe(200);
    const stale = await api.put(`${configMaps}/a`, { ...body, data: { x: '3' } });
    expect(stale).toMatchObject({
      status: 409,
      body: {
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
      },
    });
  });

  test('a write that changes nothing makes no new version', async () => {
    const api = startApi();
    const { body } = await api.post(configMaps, aConfigMap('a', { x: '1' }));
    const same = await api.merge(`${configMaps}/a`, { data: { x: '1' } });
    expect(same.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  test('fields that are settled at creation stay', async () => {
    const api = startApi();
    await api.post(pods, aPod('web'));
    await api.post(deployments, aDeployment('web'));
    const pod = await api.merge(`${pods}/web`, { spec: { nodeName: 'n1' } });
    expect(pod.body.message).toContain('pod updates may not change fields other than');
    const image = { spec: { containers: [{ name: 'app', image: 'app:2' }] } };
    expect((await api.strategic(`${pods}/web`, image)).status).toBe(200);
    const selector = { matchLabels: { app: 'web', tier: 'x' } };
    const template = { metadata: { labels: selector.matchLabels } };
    const deployment = await api.merge(`${deployments}/web`, { spec: { selector, template } });
    expect(deployment.body.message).toContain('spec.selector: Invalid value');
    expect(deployment.body.message).toContain('field is immutable');
  });
});

describe('delete', () => {
  async function running(api: ReturnType<typeof startApi>): Promise<void> {
    await api.post(pods, aPod('web'));
    const binding = { metadata: { name: 'web' }, target: { kind: 'Node', name: 'n1' } };
    await api.post(`${pods}/web/binding`, binding);
  }

  test('a pod without a node goes at once', async () => {
    const api = startApi();
    await api.post(pods, aPod('web'));
    expect((await api.delete(`${pods}/web`)).body.kind).toBe('Pod');
    expect((await api.get(`${pods}/web`)).status).toBe(404);
  });

  test('a pod on a node waits for its kubelet, and the grace may only shrink', async () => {
    const api = startApi();
    await running(api);
    const first = (await api.delete(`${pods}/web`)).body.metadata;
    expect(first.deletionGracePeriodSeconds).toBe(30);
    expect(first.deletionTimestamp).toBe('2026-01-01T00:00:30Z');
    const longer = await api.delete(`${pods}/web?gracePeriodSeconds=60`);
    expect(longer.body.metadata.deletionGracePeriodSeconds).toBe(30);
    const shorter = (await api.delete(`${pods}/web?gracePeriodSeconds=5`)).body.metadata;
    expect(shorter.deletionTimestamp).toBe('2026-01-01T00:00:05Z');
    await api.delete(`${pods}/web?gracePeriodSeconds=0`);
    expect((await api.get(`${pods}/web`)).status).toBe(404);
  });

  test('an object with finalizers waits for the last of them', async () => {
    const api = startApi();
    await api.post(configMaps, {
      ...aConfigMap('a'),
      metadata: { name: 'a', finalizers: ['x/y'] },
    });
    const marked = await api.delete(`${configMaps}/a`);
    expect(marked.body.metadata.deletionTimestamp).toBe('2026-01-01T00:00:00Z');
    const more = await api.merge(`${configMaps}/a`, { metadata: { finalizers: ['x/y', 'z/z'] } });
    expect(more.body.message).toContain(
      'no new finalizers can be added if the object is being deleted',
    );
    await api.merge(`${configMaps}/a`, { metadata: { finalizers: null } });
    expect((await api.get(`${configMaps}/a`)).status).toBe(404);
  });

  test.each([
    { policy: 'Foreground', finalizer: 'foregroundDeletion' },
    { policy: 'Orphan', finalizer: 'orphan' },
  ])('propagation $policy is left to the garbage collector', async ({ policy, finalizer }) => {
    const api = startApi();
    await api.post(deployments, aDeployment('web'));
    const { body } = await api.delete(`${deployments}/web`, { propagationPolicy: policy });
    expect(body.metadata.finalizers).toEqual([finalizer]);
    expect(body.metadata.deletionTimestamp).toBeDefined();
  });

  test('preconditions are checked', async () => {
    const api = startApi();
    await api.post(configMaps, aConfigMap('a'));
    const answer = await api.delete(`${configMaps}/a`, { preconditions: { uid: 'other' } });
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('the UID in the precondition (other) does not match');
  });

  test('a collection goes by its labels', async () => {
    const api = startApi();
    await api.post(pods, aPod('a', { labels: { app: 'x' } }));
    await api.post(pods, aPod('b', { labels: { app: 'y' } }));
    await api.delete(`${pods}?labelSelector=app%3Dx`);
    const { body } = await api.get(pods);
    expect(body.items).toMatchObject([{ metadata: { name: 'b' } }]);
  });
});

describe('namespaces', () => {
  test('nothing new comes into a namespace that is leaving, which goes when it is finalized', async () => {
    const api = startApi();
    const team = '/api/v1/namespaces/team';
    await api.post('/api/v1/namespaces', { metadata: { name: 'team' } });
    const { body } = await api.delete(team);
    expect(body.status.phase).toBe('Terminating');
    const late = await api.post(`${team}/configmaps`, aConfigMap('late'));
    expect(late).toMatchObject({
      status: 403,
      body: {
        message:
          'configmaps "late" is forbidden: unable to create new content in namespace team because it is being terminated',
        details: { causes: [{ reason: 'NamespaceTerminating' }] },
      },
    });
    await api.put(`${team}/finalize`, { ...body, spec: { finalizers: [] } });
    expect((await api.get(team)).status).toBe(404);
  });

  test('the namespaces of the system stay', async () => {
    const { body } = await startApi().delete('/api/v1/namespaces/kube-system');
    expect(body.message).toBe(
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    );
  });
});
