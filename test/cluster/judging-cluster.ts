import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { loadKubeconfig } from '../../src/adapters/kube/kubeconfig.ts';
import { createTransport } from '../../src/adapters/kube/transport.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { KubeClient } from '../../src/ports/kube.ts';
import { runProgram } from '../processes.ts';

/** A real API server and scheduler and nothing else: nodes are what the test says they are. */
export interface JudgingCluster {
  readonly client: KubeClient;
  readonly clock: Clock;
  stop(): Promise<void>;
}

/** Nobody runs here that would lift a taint, make a service account, or let a volume go. */
const without =
  'TaintNodesByCondition,ServiceAccount,DefaultStorageClass,StorageObjectInUseProtection';

export async function startJudgingCluster(): Promise<JudgingCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-judging-'));
  const runFolder = join(folder, 'run');
  const flag = `kube-apiserver=--disable-admission-plugins=${without}`;
  const up = ['scripts/cluster/up', '--without-controller-manager', '--flag', flag, runFolder];
  await runProgram(up);
  const clock = createSystemClock();
  const path = join(runFolder, 'kubeconfig');
  const transport = createTransport(loadKubeconfig({ path, env: process.env }), clock);
  return {
    client: createKubeClient({ send: transport, clock, watchSeconds: 50 }),
    clock,
    stop: async () => {
      transport.close();
      await runProgram(['scripts/cluster/down', '--remove', runFolder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
