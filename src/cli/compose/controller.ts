import { createAwsClients } from '../../adapters/aws/calls/clients.ts';
import { createAwsCloud } from '../../adapters/aws/provider.ts';
import type { AwsSettings } from '../../adapters/aws/settings.ts';
import { createKubeClient } from '../../adapters/kube/client.ts';
import { createMetrics } from '../../adapters/system/metrics.ts';
import {
  type Karpenter,
  type KarpenterSettings,
  startKarpenter,
} from '../../controllers/karpenter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpHandler } from '../../ports/http.ts';
import type { KubeClient } from '../../ports/kube.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Random } from '../../ports/random.ts';
import type { DecisionRecorder } from '../../ports/recorder.ts';
import { createDecisionRecorder } from '../../runtime/decision-recorder.ts';
import { createEventPublisher } from '../../runtime/events.ts';

export interface ControllerParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** How to reach the API server. */
  readonly kube: HttpHandler;
  /** How to reach AWS; the SDK's own way when left out. */
  readonly aws?: HttpHandler | undefined;
}

export interface ControllerSettings {
  readonly karpenter: KarpenterSettings;
  readonly aws: AwsSettings;
}

export interface RunningController {
  readonly karpenter: Karpenter;
  readonly decisions: DecisionRecorder;
  readonly metrics: () => string;
  /** For what runs beside it in the same process. */
  readonly ports: {
    readonly kube: KubeClient;
    readonly clock: Clock;
    readonly log: Log;
    readonly metrics: Metrics;
  };
}

const rememberedDecisions = 5000;

/** The production controller, whole: the only place where its ports are chosen. */
export function startController(
  parts: ControllerParts,
  settings: ControllerSettings,
  signal: AbortSignal,
): RunningController {
  const { clock, random, log } = parts;
  const metrics = createMetrics();
  const kube = createKubeClient({
    send: parts.kube,
    clock,
    log,
    random,
    userAgent: 'karpenter/0.1.0',
  });
  const clients = createAwsClients({ region: settings.aws.region, send: parts.aws });
  const decisions = createDecisionRecorder({ clock, log, capacity: rememberedDecisions });
  const aws = createAwsCloud({ clients, clock, log, metrics, settings: settings.aws });
  const karpenter = startKarpenter(
    {
      kube,
      cloud: aws.provider,
      interruptions: aws.interruptions,
      clock,
      random,
      log,
      metrics,
      decisions,
      events: createEventPublisher({ kube, clock, log, random, component: 'karpenter' }),
    },
    settings.karpenter,
    signal,
  );
  const shared = { kube, clock, log, metrics };
  return { karpenter, decisions, metrics: () => metrics.expose(), ports: shared };
}
