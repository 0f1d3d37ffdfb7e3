import { describe, expect, test } from 'vitest';
import {
  type Api,
  aDeployment,
  aPod,
  deployments,
  pods,
  startApi,
} from '../../../../test/kube/api.ts';

const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

async function bind(api: Api, name: string): Promise<number> {
  const binding = { metadata: { name }, target: { kind: 'Node', name: 'n1' } };
  return (await api.post(`${pods}/${name}/binding`, binding)).status;
}

describe('binding', () => {
  test('gives a pod its node once', async () => {
    const api = startApi();
    await api.post(pods, aPod('web'));
    expect(await bind(api, 'web')).toBe(201);
    const { body } = await api.get(`${pods}/web`);
    expect(body.spec.nodeName).toBe('n1');
    expect(body.status.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
    const again = await api.post(`${pods}/web/binding`, { target: { name: 'n2' } });
    expect(again).toMatchObject({
      status: 409,
      body: {
        message:
          'Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "n1"',
      },
    });
  });

  test('also by the collection of bindings', async () => {
    const api = startApi();
    await api.post(pods, aPod('web'));
    const binding = { metadata: { name: 'web' }, target: { name: 'n1' } };
    expect((await api.post('/api/v1/namespaces/default/bindings', binding)).status).toBe(201);
    expect((await api.get(`${pods}/web`)).body.spec.nodeName).toBe('n1');
  });

  test('not while the pod is gated', async () => {
    const api = startApi();
    await api.post(pods, aPod('web', { spec: { schedulingGates: [{ name: 'x/y' }] } }));
    expect(await bind(api, 'web')).toBe(409);
  });
});

describe('eviction', () => {
  interface Budget {
    readonly name?: string;
    readonly status?: object;
    readonly policy?: string;
  }

  async function budget(api: Api, { name = 'b', status, policy }: Budget = {}): Promise<void> {
    await api.post(budgets, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: {
        minAvailable: 1,
        selector: { matchLabels: { app: 'web' } },
        ...(policy === undefined ? {} : { unhealthyPodEvictionPolicy: policy }),
      },
    });
    if (status === undefined) return;
    await api.merge(`${budgets}/${name}/status`, { status: { observedGeneration: 1, ...status } });
  }

  async function runningPod(api: Api, ready: 'True' | 'False' = 'True'): Promise<void> {
    await api.post(pods, aPod('web', { labels: { app: 'web' } }));
    await bind(api, 'web');
    const conditions = [{ type: 'Ready', status: ready }];
    await api.merge(`${pods}/web/status`, { status: { phase: 'Running', conditions } });
  }

  const evict = (api: Api) => api.post(`${pods}/web/eviction`, { metadata: { name: 'web' } });

  test('marks the pod, counts on the budget, and the kubelet does the rest', async () => {
    const api = startApi();
    await runningPod(api);
    await budget(api, { status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 } });
    expect((await evict(api)).status).toBe(201);
    const pod = (await api.get(`${pods}/web`)).body;
    expect(pod.metadata.deletionGracePeriodSeconds).toBe(30);
    expect(pod.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI' }),
    );
    const { status } = (await api.get(`${budgets}/b`)).body;
    expect(status.disruptionsAllowed).toBe(0);
    expect(status.disruptedPods).toEqual({ web: '2026-01-01T00:00:00Z' });
  });

  test('is refused while the budget allows nothing', async () => {
    const api = startApi();
    await runningPod(api);
    await budget(api, { status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 } });
    expect(await evict(api)).toMatchObject({
      status: 429,
      body: {
        reason: 'TooManyRequests',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        details: {
          causes: [
            {
              reason: 'DisruptionBudget',
              message: 'The disruption budget b needs 1 healthy pods and has 1 currently',
            },
          ],
        },
      },
    });
    expect((await api.get(`${pods}/web`)).body.metadata.deletionTimestamp).toBeUndefined();
  });

  test('waits for a budget that nobody has looked at yet', async () => {
    const api = startApi();
    await runningPod(api);
    await budget(api);
    const { status, headers, body } = await evict(api);
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('10');
    expect(body.details.causes[0].message).toContain('is still being processed by the server');
  });

  test('two budgets are more than it can handle', async () => {
    const api = startApi();
    await runningPod(api);
    await budget(api, { name: 'b1' });
    await budget(api, { name: 'b2' });
    const { status, body } = await evict(api);
    expect(status).toBe(500);
    expect(body.message).toContain('This pod has more than one PodDisruptionBudget');
  });

  const spent = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1 };

  test.each([
    { policy: 'IfHealthyBudget', status: spent, code: 429 },
    { policy: 'AlwaysAllow', status: spent, code: 201 },
    { policy: 'IfHealthyBudget', status: { ...spent, currentHealthy: 1 }, code: 201 },
  ])('of a pod that is not ready, by $policy, answers $code', async ({ policy, status, code }) => {
    const api = startApi();
    await runningPod(api, 'False');
    await budget(api, { policy, status });
    expect((await evict(api)).status).toBe(code);
  });

  test('of a pod that has ended asks no budget', async () => {
    const api = startApi();
    await runningPod(api);
    await api.merge(`${pods}/web/status`, { status: { phase: 'Succeeded' } });
    await budget(api, { status: spent });
    expect((await evict(api)).status).toBe(201);
    expect((await api.get(`${pods}/web`)).status).toBe(404);
  });

  test('in a dry run changes neither pod nor budget', async () => {
    const api = startApi();
    await runningPod(api);
    await budget(api, { status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 } });
    const before = (await api.get(`${pods}/web`)).body;
    const eviction = { metadata: { name: 'web' }, deleteOptions: { dryRun: ['All'] } };
    expect((await api.post(`${pods}/web/eviction`, eviction)).status).toBe(201);
    expect((await api.get(`${pods}/web`)).body).toEqual(before);
    expect((await api.get(`${budgets}/b`)).body.status.disruptionsAllowed).toBe(1);
  });
});

describe('scale', () => {
  test('reads and writes the replicas of a deployment', async () => {
    const api = startApi();
    await api.post(deployments, aDeployment('web'));
    const scale = (await api.get(`${deployments}/web/scale`)).body;
    expect(scale).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 1 },
      status: { replicas: 0, selector: 'app=web' },
    });
    await api.put(`${deployments}/web/scale`, { ...scale, spec: { replicas: 4 } });
    const { body } = await api.get(`${deployments}/web`);
    expect(body.spec.replicas).toBe(4);
    expect(body.metadata.generation).toBe(2);
    const stale = await api.put(`${deployments}/web/scale`, { ...scale, spec: { replicas: 5 } });
    expect(stale.status).toBe(409);
  });
});

describe('odds and ends', () => {
  test('pod logs say that there are none', async () => {
    const api = startApi();
    await api.post(pods, aPod('web'));
    const { body } = await api.get(`${pods}/web/log`);
    expect(body.text).toContain('run no processes');
  });

  test('a service account gets a token', async () => {
    const api = startApi();
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await api.post(accounts, { metadata: { name: 'robot' } });
    const { status, body } = await api.post(`${accounts}/robot/token`, {
      spec: { expirationSeconds: 60 },
    });
    expect(status).toBe(201);
    expect(body.status.expirationTimestamp).toBe('2026-01-01T00:01:00Z');
    expect(body.status.token).toMatch(/^[0-9a-f]{64}$/);
  });

  test('everybody may do everything', async () => {
    const { body } = await startApi().post(
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      { spec: { resourceAttributes: { verb: 'delete', resource: 'nodes' } } },
    );
    expect(body.status).toEqual({ allowed: true });
  });

  test('an event written in one group is read in the other', async () => {
    const api = startApi();
    await api.post('/api/v1/namespaces/default/events', {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'web' },
      message: 'pulled',
      count: 2,
    });
    const { body } = await api.get('/apis/events.k8s.io/v1/namespaces/default/events/e');
    expect(body).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      regarding: { kind: 'Pod', name: 'web' },
      note: 'pulled',
      deprecatedCount: 2,
    });
    const found = await api.get('/api/v1/events?fieldSelector=involvedObject.name%3Dweb');
    expect(found.body.items).toHaveLength(1);
  });

  test('health, version and paths that lead nowhere', async () => {
    const api = startApi();
    for (const path of ['/healthz', '/livez', '/readyz?verbose']) {
      expect((await api.get(path)).body.text).toBe('ok');
    }
    expect((await api.get('/version')).body).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: 'v1.36.0',
    });
    expect((await api.get('/api/v1/unicorns')).body.reason).toBe('NotFound');
    expect((await api.get('/nowhere')).body.text).toBe('404 page not found\n');
    expect((await api.put(pods, {})).status).toBe(405);
  });
});
