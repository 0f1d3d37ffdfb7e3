import { createAwsClients } from '../../src/adapters/aws/calls/clients.ts';
import { createAwsCloud } from '../../src/adapters/aws/provider.ts';
import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { createMetrics } from '../../src/adapters/system/metrics.ts';
import {
  type Karpenter,
  type KarpenterSettings,
  startKarpenter,
} from '../../src/controllers/karpenter.ts';
import type { Decision } from '../../src/core/explain/decision.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { HttpHandler } from '../../src/ports/http.ts';
import type { Random } from '../../src/ports/random.ts';
import { createDecisionRecorder } from '../../src/runtime/decision-recorder.ts';
import { createEventPublisher } from '../../src/runtime/events.ts';
import { collectedLog } from './collected-log.ts';
import { Life, type Write } from './life.ts';

export interface ControllerProcess {
  readonly karpenter: Karpenter;
  readonly life: Life;
}

/** Where it is written down what all processes of a world do. */
interface Diary {
  readonly errors: string[];
  readonly writes: Write[];
  readonly decisions: Decision[];
}

/** Starts our controller, the production one, with these ways to the servers. */
export function startProcess(options: {
  readonly clock: Clock;
  readonly random: Random;
  readonly region: string;
  readonly settings: KarpenterSettings;
  readonly toKube: HttpHandler;
  readonly toAws: HttpHandler;
  readonly diary: Diary;
}): { readonly process: ControllerProcess; readonly metrics: () => string } {
  const { clock, random, region, settings, diary } = options;
  const { clusterName } = settings;
  const life = new Life(clock, diary.writes);
  const log = collectedLog('karpenter', life.isAlive, diary.errors);
  const kube = createKubeClient({ send: life.wire(options.toKube), clock, log, random });
  const clients = createAwsClients({ region, send: life.wire(options.toAws) });
  const metrics = createMetrics();
  const { provider, interruptions } = createAwsCloud({
    ...{ clients, clock, log, metrics },
    settings: { clusterName, region, interruptionQueue: clusterName },
  });
  const decisions = createDecisionRecorder({ clock, log });
  decisions.subscribe((decision) => diary.decisions.push(decision));
  const events = createEventPublisher({ kube, clock, log, random, component: 'karpenter' });
  const karpenter = startKarpenter(
    { kube, cloud: provider, interruptions, clock, random, log, metrics, decisions, events },
    settings,
    life.signal,
  );
  return { process: { karpenter, life }, metrics: () => metrics.expose() };
}
