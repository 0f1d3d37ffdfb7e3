import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, type Process } from '../processes.ts';
import { type RealCluster, startRealCluster } from './real-cluster.ts';

const manifest = (name: string): string =>
  fileURLToPath(new URL(`manifests/${name}.yaml`, import.meta.url));

const byZone = `
podTopologySpread:
  defaultConstraints:
    - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}
`;

describe('with the permissions that the manual lists, but none for services', () => {
  let cluster: RealCluster;
  let controller: Process;
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-permissions-'));

  beforeAll(async () => {
    cluster = await startRealCluster();
    await cluster.kubectl('apply', '--server-side', '-f', manifest('karpenter'));
    await cluster.kubectl('apply', '--server-side', '-f', manifest('permissions'));
    controller = cluster.startController(
      `--kubeconfig=${await kubeconfigOfAccount()}`,
      `--scheduler-config=${byZone}`,
    );
  });
  afterAll(async () => {
    await controller?.end();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function kubeconfigOfAccount(): Promise<string> {
    const token = await cluster.kubectl('create', 'token', 'karpenter', '-n', 'kube-system');
    const admin = JSON.parse(await cluster.kubectl('config', 'view', '--raw', '-o', 'json'));
    const users = admin.users.map(({ name }: { name: string }) => ({
      name,
      user: { token: token.trim() },
    }));
    const path = join(folder, 'kubeconfig');
    writeFileSync(path, JSON.stringify({ ...admin, users }), { mode: 0o600 });
    return path;
  }

  const explain = () => controller.output().slice(-3000);
  const complaints = () =>
    controller
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":"ERROR"'));

  test('pods of a Deployment are spread all the same, and the log names the rule that is missing', async () => {
    const cpu = '--requests=cpu=900m';
    await cluster.kubectl('create', 'deploy', 'shop', '--replicas=6', '--image=nginx');
    await cluster.kubectl('set', 'resources', 'deploy', 'shop', cpu);
    const running = ['get', 'pods', '-l', 'app=shop', '--field-selector=status.phase=Running'];
    await eventually(
      'six pods run',
      async () => (await cluster.kubectl(...running, '-o', 'name')).trim().split('\n').length === 6,
      { seconds: 120, explain },
    );
    const zones = await cluster.kubectl(
      'get',
      'nodeclaims',
      '-o',
      'jsonpath={.items[*].metadata.labels.topology\\.kubernetes\\.io/zone}',
    );
    expect(new Set(zones.split(' ')).size).toBe(3);
    expect(complaints().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        message: 'listing is forbidden, going on without',
        resource: 'services',
        remedy: expect.stringContaining('allow get, list and watch on services (apiGroups: [""])'),
      }),
    ]);
  });

  test('what it has bought it can give back', async () => {
    await cluster.kubectl('delete', 'deploy', 'shop');
    await eventually(
      'no claim is left',
      async () => (await cluster.kubectl('get', 'nodeclaims', '-o', 'name')).trim() === '',
      { seconds: 150, explain },
    );
    expect(complaints()).toHaveLength(1);
  });
});
