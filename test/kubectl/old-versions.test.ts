import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { createMetrics } from '../../src/adapters/system/metrics.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { customResourceDefinitions } from '../../src/api/crds.ts';
import { chartWebhookAddress, withV1beta1 } from '../../src/api/v1beta1/definitions.ts';
import { startWebhook } from '../../src/cli/compose/webhook.ts';
import { freePort } from '../free-port.ts';
import { eventually } from '../processes.ts';
import { collectedLog } from '../world/collected-log.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { kubectlPath, whySkipped } from './kubectl.ts';

const pool = {
  apiVersion: 'karpenter.sh/v1beta1',
  kind: 'NodePool',
  metadata: { name: 'web' },
  spec: {
    template: {
      spec: { requirements: [], kubelet: { maxPods: 50 }, nodeClassRef: { name: 'web' } },
    },
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s', expireAfter: '48h' },
  },
};

describe.skipIf(kubectlPath === undefined)(`kubectl and v1beta1${whySkipped}`, () => {
  let cluster: Cluster;
  const errors: string[] = [];
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
    closers.push(() => cluster.close());
    for (const crd of withV1beta1(customResourceDefinitions(), chartWebhookAddress)) {
      await cluster.run('create -f -', crd);
    }
    const clock = createSystemClock();
    const port = await freePort();
    const ending = new AbortController();
    const webhook = await startWebhook(
      {
        kube: createKubeClient({ send: cluster.handle, clock }),
        clock,
        log: collectedLog('webhook', () => true, errors),
        metrics: createMetrics(),
      },
      {
        host: '127.0.0.1',
        port,
        address: { kind: 'url', url: `https://127.0.0.1:${port}` },
        secret: { name: 'karpenter-webhook-cert', namespace: 'kube-system' },
      },
      ending.signal,
    );
    closers.unshift(async () => {
      ending.abort(new Error('the test is over'));
      await webhook.close();
    });
    await eventually('objects can be converted', async () => {
      return (await cluster.attempt('get nodepools.v1beta1.karpenter.sh')).code === 0;
    });
  });

  afterAll(async () => {
    for (const close of closers) await close();
  });

  test('an old manifest is applied with a warning, and again without a change', async () => {
    const first = await cluster.attempt('apply -f -', pool);
    expect(first.stderr).toContain('Warning: karpenter.sh/v1beta1 NodePool is deprecated');
    expect(first.stdout).toBe('nodepool.karpenter.sh/web created\n');
    expect((await cluster.attempt('apply -f -', pool)).stdout).toBe(
      'nodepool.karpenter.sh/web unchanged\n',
    );
  });

  test('it is read in both versions', async () => {
    const v1 = JSON.parse(await cluster.run('get nodepools.v1.karpenter.sh web -o json'));
    expect(v1.spec.template.spec.expireAfter).toBe('48h');
    const beta = JSON.parse(await cluster.run('get nodepools.v1beta1.karpenter.sh web -o json'));
    expect(beta.spec).toMatchObject(pool.spec);
    expect(await cluster.run('get nodepools.v1beta1.karpenter.sh')).toMatch(
      /^NAME +NODECLASS\nweb +web\n$/,
    );
  });

  test('it is changed and deleted in the old version', async () => {
    await cluster.run(
      `patch nodepools.v1beta1.karpenter.sh web --type=merge -p '{"spec":{"weight":9}}'`,
    );
    expect(
      await cluster.run("get nodepools.v1.karpenter.sh web -o jsonpath='{.spec.weight}'"),
    ).toBe('9');
    await cluster.run('delete nodepools.v1beta1.karpenter.sh web');
    expect(await cluster.run('get nodepools.v1.karpenter.sh -o name')).toBe('');
    expect(errors).toEqual([]);
  });
});
