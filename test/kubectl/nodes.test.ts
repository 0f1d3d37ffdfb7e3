import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { kubectlPath, whySkipped } from './kubectl.ts';
import { aNode, aPod, runningStatus } from './manifests.ts';

describe.skipIf(kubectlPath === undefined)(`kubectl tends nodes${whySkipped}`, () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster();
    await cluster.run('create -f -', aNode('n1'));
    await cluster.run('create -f -', aPod('web', { nodeName: 'n1' }));
    await cluster.setStatus('pod/web', runningStatus);
  });

  afterAll(() => cluster?.close());

  test('cordon and uncordon', async () => {
    expect(await cluster.run('cordon n1')).toBe('node/n1 cordoned\n');
    expect(await cluster.run('get node n1')).toMatch(/^n1 +Ready,SchedulingDisabled/m);
    expect(await cluster.run('cordon n1')).toBe('node/n1 already cordoned\n');
    expect(await cluster.run('uncordon n1')).toBe('node/n1 uncordoned\n');
    expect(await cluster.run('get node n1')).toMatch(/^n1 +Ready +<none>/m);
  });

  test('taint and untaint', async () => {
    expect(await cluster.run('taint node n1 dedicated=team:NoSchedule')).toBe('node/n1 tainted\n');
    const taints = "get node n1 -o jsonpath='{.spec.taints}'";
    expect(JSON.parse(await cluster.run(taints))).toEqual([
      { key: 'dedicated', value: 'team', effect: 'NoSchedule' },
    ]);
    expect(await cluster.run('taint node n1 dedicated-')).toBe('node/n1 untainted\n');
    expect(await cluster.run(taints)).toBe('');
  });

  test('drain in a dry run names the pods that would go', async () => {
    const lonely = await cluster.attempt('drain n1 --dry-run=server');
    expect(lonely.stderr).toMatch(/cannot delete Pods (that )?declare no controller/);
    const { stdout } = await cluster.attempt('drain n1 --force --dry-run=server');
    expect(stdout).toMatch(/evicting pod default\/web/);
    expect(await cluster.run('get pod web -o name')).toBe('pod/web\n');
  });

  test('drain stops at a disruption budget', async () => {
    await cluster.run('create pdb web --selector=app=web --min-available=1');
    const counted = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
    await cluster.setStatus('pdb/web', {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      ...counted,
    });
    const { code, stderr } = await cluster.attempt('drain n1 --force --timeout=3s');
    expect(code).toBe(1);
    expect(stderr).toContain("Cannot evict pod as it would violate the pod's disruption budget");
    await cluster.run('delete pdb web');
  });

  test('drain evicts, and the kubelet has the last word', async () => {
    const drained = cluster.follow('drain n1 --force --timeout=20s');
    await drained.until(/evicting pod default\/web/);
    const stamped = "wait pod/web --for=jsonpath='{.metadata.deletionGracePeriodSeconds}'=30";
    await cluster.run(`${stamped} --timeout=10s`);
    expect(await cluster.run('get pod web')).toMatch(/^web +1\/1 +Terminating/m);
    await cluster.run('delete pod web --force --grace-period=0');
    await drained.until(/node\/n1 drained/);
  });

  test('nodes by label', async () => {
    await cluster.run('label node n1 karpenter.sh/nodepool=default');
    expect(await cluster.run('get nodes -l karpenter.sh/nodepool=default -o name')).toBe(
      'node/n1\n',
    );
    expect(await cluster.run('get nodes -L karpenter.sh/nodepool')).toMatch(
      /NODEPOOL\nn1 .* default$/m,
    );
  });
});
