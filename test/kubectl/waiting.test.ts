import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { kubectlPath, whySkipped } from './kubectl.ts';
import { aDeployment, aPod, runningStatus } from './manifests.ts';

describe.skipIf(kubectlPath === undefined)(`kubectl watches and waits${whySkipped}`, () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster();
  });

  afterAll(() => cluster?.close());

  test('get -w prints every change under one header', async () => {
    await cluster.run('create -f -', aPod('first'));
    const watch = cluster.follow('get pods -w');
    await watch.until(/^first +0\/1 +Pending/m);
    await cluster.run('create -f -', aPod('second'));
    await watch.until(/^second +0\/1 +Pending/m);
    await cluster.setStatus('pod/second', runningStatus);
    const printed = await watch.until(/^second +1\/1 +Running/m);
    expect(printed.match(/^NAME/gm)).toHaveLength(1);
    watch.stop();
  });

  test('get -w in other formats and of one object', async () => {
    await cluster.run('create -f -', aPod('one'));
    const names = cluster.follow("get pod one -w -o jsonpath='{.metadata.labels.step};'");
    await names.until(/;/);
    await cluster.run('label pod one step=a');
    await cluster.run('label pod one step=b --overwrite');
    expect(await names.until(/b;/)).toBe(';a;b;');
    names.stop();
  });

  test('get --watch-only with --output-watch-events tells deletions', async () => {
    const watch = cluster.follow('get cm -n default --watch --output-watch-events -l watched=yes');
    await cluster.run('create configmap seen');
    await cluster.run('label cm seen watched=yes');
    await watch.until(/^ADDED +seen/m);
    await cluster.run('label cm seen watched-');
    await watch.until(/^DELETED +seen/m);
    watch.stop();
  });

  test('wait for a condition, a value and a deletion', async () => {
    await cluster.run('create -f -', aPod('slow'));
    const ready = cluster.run('wait pod/slow --for=condition=Ready --timeout=20s');
    const running = cluster.run(
      "wait pod/slow --for=jsonpath='{.status.phase}'=Running --timeout=20s",
    );
    await cluster.setStatus('pod/slow', runningStatus);
    expect(await ready).toBe('pod/slow condition met\n');
    expect(await running).toBe('pod/slow condition met\n');
    const gone = cluster.run('wait pod/slow --for=delete --timeout=20s');
    await cluster.run('delete pod slow --now');
    await gone;
  });

  test('wait gives up in time', async () => {
    await cluster.run('create -f -', aPod('never'));
    const { code, stderr } = await cluster.attempt(
      'wait pod/never --for=condition=Ready --timeout=1s',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('timed out waiting for the condition on pods/never');
  });

  test('wait --for=create', async () => {
    const created = cluster.attempt('wait cm/later --for=create --timeout=20s');
    await cluster.run('create configmap later');
    const { code, stderr } = await created;
    // Clients before 1.31 do not know this way of waiting.
    if (!stderr.includes('unrecognized condition')) expect(code).toBe(0);
  });

  test('delete waits until the object is gone', async () => {
    await cluster.run('create -f -', aPod('brief'));
    expect(await cluster.run('delete pod brief')).toMatch(/^pod "brief" deleted/);
    expect((await cluster.attempt('get pod brief')).code).toBe(1);
    expect((await cluster.attempt('delete pod brief')).stderr).toContain('not found');
    expect(await cluster.run('delete pod brief --ignore-not-found')).toBe('');
  });

  test('a finalizer holds an object until it is taken away', async () => {
    await cluster.run('create configmap held');
    const add = { metadata: { finalizers: ['example.com/hold'] } };
    await cluster.run(`patch cm held --type=merge -p '${JSON.stringify(add)}'`);
    await cluster.run('delete cm held --wait=false');
    expect(await cluster.run("get cm held -o jsonpath='{.metadata.deletionTimestamp}'")).not.toBe(
      '',
    );
    const remove = { metadata: { finalizers: null } };
    await cluster.run(`patch cm held --type=merge -p '${JSON.stringify(remove)}'`);
    expect((await cluster.attempt('get cm held')).code).toBe(1);
  });

  test.each([
    { cascade: 'background', finalizer: '' },
    { cascade: 'orphan', finalizer: '["orphan"]' },
    { cascade: 'foreground', finalizer: '["foregroundDeletion"]' },
  ])('delete --cascade=$cascade', async ({ cascade, finalizer }) => {
    const name = `by-${cascade}`;
    await cluster.run('create -f -', aDeployment(name));
    await cluster.run(`delete deploy ${name} --cascade=${cascade} --wait=false`);
    const { code, stdout } = await cluster.attempt(
      `get deploy ${name} -o jsonpath='{.metadata.finalizers}'`,
    );
    // Without the garbage collector what it must do stays written down.
    if (code === 0) expect(stdout).toBe(finalizer);
    else expect((await cluster.attempt(`get deploy ${name}`)).stderr).toContain('not found');
  });

  test('delete by label and delete --all', async () => {
    await cluster.run('create ns many');
    for (const name of ['a', 'b', 'c']) await cluster.run(`create cm ${name} -n many`);
    await cluster.run('label cm a b -n many go=yes');
    await cluster.run('delete cm -n many -l go=yes');
    expect(await cluster.run('get cm -n many -o name')).toContain('configmap/c');
    await cluster.run('delete cm -n many --all');
    expect(await cluster.run('get cm -n many -o name')).not.toContain('configmap/c');
  });
});
