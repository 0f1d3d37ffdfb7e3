import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { loadKubeconfig } from '../adapters/kube/kubeconfig.ts';
import { createTransport } from '../adapters/kube/transport.ts';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { createSystemClock } from '../adapters/system/system-clock.ts';
import { createSystemRandom } from '../adapters/system/system-random.ts';
import type { KarpenterSettings } from '../controllers/karpenter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { nameSuffix } from '../ports/random.ts';
import { type RunningServer, type ServerSources, serve } from '../server/serve.ts';
import { readStaticFiles } from '../server/static-files.ts';
import { flagOrEnv, milliseconds, portNumber, trueOrFalse } from './arguments.ts';
import { type AwsFlags, awsOptions, awsSettings } from './aws-flags.ts';
import { type RunningController, startController } from './compose/controller.ts';
import { startWebhook } from './compose/webhook.ts';
import { type PlanningFlags, planningOptions, planningSettings } from './planning-flags.ts';
import { stopSwitch, untilSignal } from './signals.ts';
import { type WebhookFlags, webhookOptions, webhookSettings } from './webhook-flags.ts';

export interface ControllerFlags extends AwsFlags, PlanningFlags, WebhookFlags {
  readonly batchIdleDuration: number;
  readonly batchMaxDuration: number;
  readonly disableNomination: boolean;
  readonly disableLeaderElection: boolean;
  readonly leaderElectionName: string;
  readonly leaderElectionNamespace?: string;
  readonly logLevel: 'debug' | 'info' | 'error';
  readonly metricsPort: number;
  readonly healthProbePort: number;
  readonly consolePort: number;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** `karpenter controller`: manages the cluster that the kubeconfig, or the pod it runs in, points at. */
export function controllerCommand(): Command {
  const command = new Command('controller').description(
    'run the controller against the cluster of your kubeconfig, or in a pod',
  );
  for (const option of options()) command.addOption(option);
  return command.action((flags: ControllerFlags) => runControllerProcess(flags));
}

function options(): readonly Option[] {
  return [
    ...awsOptions(),
    flagOrEnv(
      '--batch-idle-duration <duration>',
      'plan when no new pod came for this long',
      'BATCH_IDLE_DURATION',
    )
      .argParser(milliseconds)
      .default(1000, '1s'),
    flagOrEnv(
      '--batch-max-duration <duration>',
      'plan after this long at the latest',
      'BATCH_MAX_DURATION',
    )
      .argParser(milliseconds)
      .default(10_000, '10s'),
    ...planningOptions(),
    flagOrEnv(
      '--disable-nomination <bool>',
      'do not tell the kube-scheduler which nodes pods were planned for',
      'DISABLE_NOMINATION',
    )
      .argParser(trueOrFalse)
      .default(false),
    flagOrEnv(
      '--disable-leader-election <bool>',
      'act alone, without a Lease',
      'DISABLE_LEADER_ELECTION',
    )
      .argParser(trueOrFalse)
      .default(false),
    flagOrEnv('--leader-election-name <name>', 'name of the Lease', 'LEADER_ELECTION_NAME').default(
      'karpenter-leader-election',
    ),
    flagOrEnv(
      '--leader-election-namespace <namespace>',
      'namespace of the Lease',
      'LEADER_ELECTION_NAMESPACE',
    ),
    flagOrEnv('--log-level <level>', 'how much to say', 'LOG_LEVEL')
      .choices(['debug', 'info', 'error'])
      .default('info'),
    flagOrEnv('--metrics-port <port>', 'Prometheus metrics; 0 for none', 'METRICS_PORT')
      .argParser(portNumber)
      .default(8080),
    flagOrEnv('--health-probe-port <port>', 'health probes; 0 for none', 'HEALTH_PROBE_PORT')
      .argParser(portNumber)
      .default(8081),
    flagOrEnv(
      '--console-port <port>',
      'the console, with metrics and health too; 0 for none',
      'CONSOLE_PORT',
    )
      .argParser(portNumber)
      .default(8082),
    flagOrEnv('--host <address>', 'address to listen on', 'HOST').default('0.0.0.0'),
    new Option(
      '--kubeconfig <file>',
      'in place of KUBECONFIG, ~/.kube/config or the pod’s own account',
    ),
    new Option('--context <name>', 'in place of the current context'),
    ...webhookOptions(),
  ];
}

async function runControllerProcess(flags: ControllerFlags): Promise<void> {
  const clock = createSystemClock();
  const log = createJsonLog({
    clock,
    level: flags.logLevel,
    write: (line) => process.stdout.write(line),
  });
  const connection = loadKubeconfig({
    path: flags.kubeconfig,
    context: flags.context,
    env: process.env,
  });
  const transport = createTransport(connection, clock);
  const stop = stopSwitch();
  const random = createSystemRandom();
  const identity = `${process.env.POD_NAME ?? hostname()}_${nameSuffix(random, 8)}`;
  const running = startController(
    { clock, random, log, kube: transport },
    {
      karpenter: {
        ...karpenterSettings(flags, identity, connection.namespace),
        clusterCaBundle: flags.clusterCaBundle ?? base64(connection.certificateAuthority ?? ''),
      },
      aws: awsSettings(flags),
    },
    stop.signal,
  );
  const servers: RunningServer[] = [];
  try {
    servers.push(...(await startServers({ flags, clock, running })));
    const webhook = webhookSettings(flags, ownNamespace(flags, connection.namespace));
    if (webhook !== undefined)
      servers.push(await startWebhook(running.ports, webhook, stop.signal));
    log.info('serving', { servers: servers.map((server) => server.url) });
    await Promise.race([untilSignal(), running.karpenter.done]);
  } finally {
    await shutDown({ stop, running, servers, log });
    transport.close();
  }
}

/** What the flags mean for the controller, beside its cloud. */
export function karpenterSettings(
  flags: ControllerFlags,
  identity: string,
  namespace: string,
): KarpenterSettings {
  return {
    clusterName: flags.clusterName,
    batchIdleMs: flags.batchIdleDuration,
    batchMaxMs: flags.batchMaxDuration,
    ...planningSettings(flags),
    isNominationDisabled: flags.disableNomination,
    rebalance: flags.rebalance,
    ownNodeName: process.env.NODE_NAME,
    leaderElection: flags.disableLeaderElection
      ? undefined
      : {
          identity,
          name: flags.leaderElectionName,
          namespace: ownNamespace(flags, namespace),
        },
  };
}

/** Where we run: leases and certificates belong there. */
function ownNamespace(flags: ControllerFlags, fallback: string): string {
  return flags.leaderElectionNamespace ?? process.env.POD_NAMESPACE ?? fallback;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** One server per distinct port that is not 0; each serves everything. */
async function startServers(parts: {
  readonly flags: ControllerFlags;
  readonly clock: Clock;
  readonly running: RunningController;
}): Promise<readonly RunningServer[]> {
  const { flags, clock, running } = parts;
  const sources: ServerSources = {
    clock,
    clusterName: flags.clusterName,
    observation: running.karpenter.observation,
    decisions: running.decisions,
    metrics: running.metrics,
    isReady: () => running.karpenter.isReady(),
    files: readStaticFiles(fileURLToPath(new URL('../console', import.meta.url))),
  };
  const ports = new Set([flags.metricsPort, flags.healthProbePort, flags.consolePort]);
  ports.delete(0);
  return Promise.all([...ports].map((port) => serve(sources, { host: flags.host, port })));
}

async function shutDown(parts: {
  readonly stop: AbortController;
  readonly running: RunningController;
  readonly servers: readonly RunningServer[];
  readonly log: Log;
}): Promise<void> {
  parts.log.info('stopping');
  parts.stop.abort(new Error('karpenter is stopping'));
  await parts.running.karpenter.done;
  await Promise.all(parts.servers.map((server) => server.close()));
}
