import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { loadKubeconfig } from '../../src/adapters/kube/kubeconfig.ts';
import { createTransport } from '../../src/adapters/kube/transport.ts';
import { createMetrics } from '../../src/adapters/system/metrics.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { customResourceDefinitions } from '../../src/api/crds.ts';
import { withV1beta1 } from '../../src/api/v1beta1/definitions.ts';
import { startWebhook } from '../../src/cli/compose/webhook.ts';
import type { RunningServer } from '../../src/server/serve.ts';
import { freePort } from '../free-port.ts';
import { eventually, runProgram } from '../processes.ts';
import { collectedLog } from '../world/collected-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'karpenter-conversion-'));
const runFolder = join(folder, 'run');
const kubeconfig = join(runFolder, 'kubeconfig');
const env = { KUBECONFIG: kubeconfig };
let webhookPort = 0;
const errors: string[] = [];
let kubectlPath = '';

/** What kubectl prints, warnings included; a failure is told by its last line. */
function kubectl(...args: readonly string[]): Promise<string> {
  return runProgram(['sh', '-c', '"$0" "$@" 2>&1 || echo "exit $?"', kubectlPath, ...args], env);
}

async function apply(...objects: readonly object[]): Promise<string> {
  const file = join(folder, 'manifests.yaml');
  writeFileSync(file, objects.map((object) => stringify(object)).join('---\n'));
  return kubectl('apply', '-f', file);
}

async function read(name: string): Promise<Loose> {
  return JSON.parse(await runProgram([kubectlPath, 'get', name, '-o', 'json'], env));
}

type Loose = ReturnType<typeof JSON.parse>;

/** The webhook of the controller as it runs in a replica; ends with `stop`. */
async function startReplica(): Promise<{ stop(): Promise<void> }> {
  const clock = createSystemClock();
  const transport = createTransport(loadKubeconfig({ path: kubeconfig, env: {} }), clock);
  const kube = createKubeClient({ send: transport, clock });
  const ending = new AbortController();
  const webhook: RunningServer = await startWebhook(
    { kube, clock, log: collectedLog('webhook', () => true, errors), metrics: createMetrics() },
    {
      host: '127.0.0.1',
      port: webhookPort,
      address: { kind: 'url', url: `https://127.0.0.1:${webhookPort}` },
      secret: { name: 'karpenter-webhook-cert', namespace: 'default' },
    },
    ending.signal,
  );
  return {
    stop: async () => {
      ending.abort(new Error('the test is over'));
      await webhook.close();
      transport.close();
    },
  };
}

const betaClass = {
  apiVersion: 'karpenter.k8s.aws/v1beta1',
  kind: 'EC2NodeClass',
  metadata: { name: 'web' },
  spec: {
    amiFamily: 'AL2023',
    role: 'web',
    subnetSelectorTerms: [{ tags: { team: 'web' } }],
    securityGroupSelectorTerms: [{ id: 'sg-1' }],
    metadataOptions: { httpTokens: 'required' },
  },
};

const betaPool = {
  apiVersion: 'karpenter.sh/v1beta1',
  kind: 'NodePool',
  metadata: { name: 'web' },
  spec: {
    template: {
      spec: {
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
        kubelet: { maxPods: 50 },
        nodeClassRef: {
          apiVersion: 'karpenter.k8s.aws/v1beta1',
          kind: 'EC2NodeClass',
          name: 'web',
        },
      },
    },
    disruption: { consolidationPolicy: 'WhenUnderutilized', expireAfter: '48h' },
  },
};

const betaClaim = {
  apiVersion: 'karpenter.sh/v1beta1',
  kind: 'NodeClaim',
  metadata: { name: 'web-1', labels: { 'karpenter.sh/nodepool': 'web' } },
  spec: { requirements: [], nodeClassRef: { name: 'web' } },
};

let replica: { stop(): Promise<void> };

beforeAll(async () => {
  webhookPort = await freePort();
  kubectlPath = join((await runProgram(['scripts/cluster/build', '--where'])).trim(), 'kubectl');
  await runProgram([
    'scripts/cluster/up',
    '--without-scheduler',
    '--without-controller-manager',
    runFolder,
  ]);
  const service = { kind: 'service', name: 'karpenter', namespace: 'default', port: 8443 } as const;
  const said = await apply(...withV1beta1(customResourceDefinitions(), service));
  expect(said).not.toContain('Warning');
  replica = await startReplica();
  await eventually('the API server is told whom to ask', async () => {
    const crd = await read('crd/nodepools.karpenter.sh');
    return crd.spec.conversion.webhook.clientConfig.caBundle !== undefined;
  });
  await eventually('objects can be converted', async () => {
    const said = await kubectl('get', 'nodepools.v1beta1.karpenter.sh');
    return said.includes('No resources found');
  });
});

afterAll(async () => {
  await replica?.stop();
  await runProgram(['scripts/cluster/down', '--remove', runFolder]);
  rmSync(folder, { recursive: true, force: true });
});

describe('a real API server', () => {
  test('takes manifests of v1beta1 with a warning and keeps them as v1', async () => {
    const said = await apply(betaClass, betaPool);
    expect(said).toContain(
      'Warning: karpenter.sh/v1beta1 NodePool is deprecated; use karpenter.sh/v1 NodePool.',
    );
    expect(said).toContain('karpenter.k8s.aws/v1beta1 EC2NodeClass is deprecated');
    const pool = await read('nodepools.v1.karpenter.sh/web');
    expect(pool).toMatchObject({
      apiVersion: 'karpenter.sh/v1',
      spec: {
        template: {
          spec: {
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' },
            expireAfter: '48h',
          },
        },
        disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
      },
    });
    const nodeClass = await read('ec2nodeclasses.v1.karpenter.k8s.aws/web');
    expect(nodeClass.spec).toMatchObject({
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      metadataOptions: { httpPutResponseHopLimit: 2 },
    });
  });

  test('gives a claim the expiry of its pool', async () => {
    await apply(betaClaim);
    const claim = await read('nodeclaims.v1.karpenter.sh/web-1');
    expect(claim.spec.expireAfter).toBe('48h');
  });

  test('shows them as v1beta1 as they were written, and applying them again changes nothing', async () => {
    const pool = await read('nodepools.v1beta1.karpenter.sh/web');
    expect(pool.spec).toMatchObject(betaPool.spec);
    expect(pool.spec.template.spec.kubelet).toEqual({ maxPods: 50 });
    const { generation } = (await read('nodepools.v1.karpenter.sh/web')).metadata;
    expect(await apply(betaClass, betaPool, betaClaim)).toContain('nodepool.karpenter.sh/web');
    expect((await read('nodepools.v1.karpenter.sh/web')).metadata.generation).toBe(generation);
  });

  test('loses nothing of v1 when somebody writes through v1beta1', async () => {
    const patch = { spec: { template: { spec: { terminationGracePeriod: '1h' } } } };
    await kubectl(
      'patch',
      'nodepools.v1.karpenter.sh/web',
      '--type=merge',
      '-p',
      JSON.stringify(patch),
    );
    await kubectl('label', 'nodepools.v1beta1.karpenter.sh/web', 'team=web');
    const pool = await read('nodepools.v1.karpenter.sh/web');
    expect(pool.metadata.labels).toEqual({ team: 'web' });
    expect(pool.spec.template.spec.terminationGracePeriod).toBe('1h');
    expect(pool.metadata.annotations).not.toHaveProperty('compatibility.karpenter.sh/v1-fields');
  });

  test('lists and watches v1beta1', async () => {
    const watched = await kubectl(
      'get',
      'nodepools.v1beta1.karpenter.sh',
      '--watch',
      '--request-timeout=3s',
      '--output=name',
    );
    expect(watched).toContain('nodepool.karpenter.sh/web');
  });

  test('believes a new replica with the certificate of the old one', async () => {
    const before = await read('secret/karpenter-webhook-cert');
    await replica.stop();
    // Reads may come from the server's memory; a write must be converted.
    const write = (value: string): Promise<string> =>
      kubectl('annotate', '--overwrite', 'nodepools.v1beta1.karpenter.sh/web', `by=${value}`);
    expect(await write('nobody')).toContain('conversion webhook for karpenter.sh/v1');
    // What is stored as v1 needs nobody.
    await kubectl('annotate', 'nodepools.v1.karpenter.sh/web', 'by=v1');
    replica = await startReplica();
    await eventually('objects can be converted again', async () => {
      return (await write('v1beta1')).includes('annotated');
    });
    const pool = await read('nodepools.v1.karpenter.sh/web');
    expect(pool.metadata.annotations.by).toBe('v1beta1');
    expect((await read('secret/karpenter-webhook-cert')).data).toEqual(before.data);
    expect(errors).toEqual([]);
  });
});
