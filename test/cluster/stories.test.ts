import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually, type Process, runProgram } from '../processes.ts';
import { type RealCluster, startRealCluster } from './real-cluster.ts';

const manifest = (name: string): string =>
  fileURLToPath(new URL(`manifests/${name}.yaml`, import.meta.url));

describe('on a real control plane', () => {
  let cluster: RealCluster;
  let controller: Process;

  beforeAll(async () => {
    cluster = await startRealCluster();
    await cluster.kubectl('apply', '--server-side', '-f', manifest('karpenter'));
  });
  afterAll(() => cluster?.stop());
  beforeEach(() => {
    controller = cluster.startController();
  });
  afterEach(() => controller.end());

  async function count(...args: string[]): Promise<number> {
    return (await cluster.kubectl('get', ...args, '--no-headers', '-o', 'name'))
      .split('\n')
      .filter(Boolean).length;
  }
  const running = () => count('pods', '--field-selector=status.phase=Running');
  const explain = () => `${controller.output().slice(-3000)}`;

  async function untilEmpty(): Promise<void> {
    await eventually('only the system nodes are left', async () => (await count('nodes')) === 2, {
      seconds: 150,
      explain,
    });
    await eventually('no claim is left', async () => (await count('nodeclaims')) === 0, {
      seconds: 30,
      explain,
    });
    await eventually('no instance is left', async () => (await instancesOf('spot-pool')) === '', {
      seconds: 30,
      explain,
    });
  }

  function instancesOf(pool: string): Promise<string> {
    const filters = [
      `Name=tag:karpenter.sh/nodepool,Values=${pool}`,
      'Name=instance-state-name,Values=running,pending',
    ];
    const query = ['--query', 'Reservations[*].Instances[*].InstanceId', '--output', 'text'];
    return runProgram(
      ['aws', 'ec2', 'describe-instances', '--filters', ...filters, ...query],
      cluster.env,
    ).then((ids) => ids.trim());
  }

  test('200 nginx pods without requests get nodes, run, and leave nothing when they are deleted', async () => {
    await cluster.kubectl('create', 'deploy', 'nginx', '--replicas=200', '--image=nginx');
    await eventually('a NodeClaim appears', async () => (await count('nodeclaims')) > 0, {
      seconds: 60,
      explain,
    });
    await eventually('200 pods run', async () => (await running()) >= 200, {
      seconds: 150,
      explain,
    });
    expect(await cluster.kubectl('describe', 'nodeclaims')).toMatch(/Type:\s+Initialized/);
    await cluster.kubectl('delete', 'deploy', 'nginx');
    await untilEmpty();
  });

  test('scaling inflate from zero to three adds a node, and deleting it removes the node', async () => {
    await cluster.kubectl('apply', '--server-side', '-f', manifest('example'));
    await cluster.kubectl('scale', 'deployment', 'inflate', '--replicas=3');
    await eventually('three pods run', async () => (await running()) >= 3, {
      seconds: 120,
      explain,
    });
    expect(await cluster.kubectl('get', 'nodes')).toMatch(/NAME\s+STATUS\s+ROLES\s+AGE\s+VERSION/);
    expect(await count('nodes')).toBeGreaterThan(2);
    expect(await instancesOf('spot-pool')).not.toBe('');
    await cluster.kubectl('delete', '-f', manifest('example'));
    await untilEmpty();
  });

  test('a controller that is killed in the middle is replaced without a second purchase', async () => {
    await cluster.kubectl('apply', '--server-side', '-f', manifest('example'));
    await cluster.kubectl('scale', 'deployment', 'inflate', '--replicas=6');
    await eventually('a NodeClaim appears', async () => (await count('nodeclaims')) > 0, {
      seconds: 60,
      explain,
    });
    const claims = await count('nodeclaims');
    await controller.end('SIGKILL');
    controller = cluster.startController();
    await eventually('six pods run', async () => (await running()) >= 6, { seconds: 150, explain });
    expect(await count('nodeclaims')).toBe(claims);
    await cluster.kubectl('delete', '-f', manifest('example'));
    await untilEmpty();
  });
});
